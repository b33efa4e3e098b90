/** Draws the board by WebGL: particle containers, rebuilt chunk by chunk when something in them has changed. */

import "pixi.js/unsafe-eval"; // despite its name: shaders and uniforms without `eval`, which the page's policy forbids
import { Container, Particle, ParticleContainer, Rectangle, Sprite, Texture, CanvasSource, Ticker, WebGLRenderer } from "pixi.js";
import { TileAtlas, TILE } from "./tileAtlas";
import type { Detail } from "../camera";
import { lowDetailSize, paintLowDetail } from "./lowDetail";
import type { MapStyle } from "./mapStyle";
import { frontierWidth, landStamp, stamp, type Renderer, type RenderInput } from "./renderer";
import type { ChunkCells, Scene } from "../scene";
import { addSprites, emitFrontiers, emitGround, emitHatches, emitMarks, emitPieces, type Emit } from "./tiles";

/** The tiles of one kind in one chunk. */
class Tiles {
  readonly container: ParticleContainer;
  stamp = "";
  private used = 0;

  constructor(private readonly textures: (tile: string) => Texture, moving = false) {
    this.container = new ParticleContainer({
      dynamicProperties: { position: moving, vertex: false, rotation: false, color: false, uvs: false },
      texture: textures("line"),
    });
  }

  fill(build: (emit: Emit) => void): void {
    const particles = this.container.particleChildren as Particle[];
    this.used = 0;
    build((tile, x, y, width, height, angle, tint, alpha) => {
      let particle = particles[this.used];
      if (particle === undefined) {
        particle = new Particle({ texture: this.textures(tile), anchorX: 0.5, anchorY: 0.5 });
        particles.push(particle);
      }
      particle.texture = this.textures(tile);
      particle.x = x;
      particle.y = y;
      particle.scaleX = width / TILE;
      particle.scaleY = height / TILE;
      particle.rotation = angle;
      particle.tint = tint;
      particle.alpha = alpha;
      this.used++;
    });
    particles.length = this.used;
    this.container.update();
  }
}

class ChunkView {
  readonly near = new Container();
  readonly far: Sprite;
  private readonly ground: Tiles;
  private readonly hatches: Tiles;
  private readonly frontiers: Tiles;
  private readonly marks: Tiles;
  private readonly image: ImageData;
  private readonly source: CanvasSource;
  private readonly canvas = document.createElement("canvas");
  private farStamp = "";

  constructor(scene: Scene, private readonly chunk: number, textures: (tile: string) => Texture) {
    this.ground = new Tiles(textures);
    this.hatches = new Tiles(textures);
    this.frontiers = new Tiles(textures);
    this.marks = new Tiles(textures);
    for (const tiles of [this.ground, this.hatches, this.frontiers, this.marks]) this.near.addChild(tiles.container);
    const size = lowDetailSize(scene, chunk);
    this.canvas.width = size.width;
    this.canvas.height = size.height;
    this.image = new ImageData(size.width, size.height);
    this.source = new CanvasSource({ resource: this.canvas, scaleMode: "nearest" });
    this.far = new Sprite(new Texture({ source: this.source }));
    this.far.position.set(size.left, size.top);
    this.far.setSize(size.worldWidth, size.worldHeight);
  }

  show({ scene, mapStyle, camera }: RenderInput, cells: ChunkCells, styleStamp: string): void {
    const { detail } = camera;
    this.near.visible = detail !== "far";
    this.far.visible = detail === "far";
    const land = stamp(scene, this.chunk, [scene.ownerLayer, mapStyle.shown.heat ?? mapStyle.ground]) + styleStamp;
    if (detail === "far") {
      if (this.farStamp !== land) this.paintLowDetail(scene, mapStyle, cells);
      this.farStamp = land;
      return;
    }
    this.refresh(this.ground, land, (emit) => emitGround(scene, mapStyle, this.chunk, cells, emit));
    this.refresh(this.hatches, land + scene.players.length, (emit) => emitHatches(scene, mapStyle, this.chunk, cells, emit));
    const width = frontierWidth(camera.zoom);
    this.refresh(this.frontiers, landStamp(scene, this.chunk) + styleStamp + width, (emit) =>
      emitFrontiers(scene, mapStyle, this.chunk, cells, width, emit),
    );
    const marked = stamp(scene, this.chunk, [scene.ownerLayer, mapStyle.ground, ...mapStyle.marks, ...mapStyle.figures]);
    this.refresh(this.marks, marked + styleStamp + detail, (emit) => emitMarks(scene, mapStyle, this.chunk, cells, detail, emit));
  }

  destroy(): void {
    this.near.destroy({ children: true });
    this.far.destroy();
    this.source.unload(); // a batch may still name it, so it is not destroyed
  }

  private refresh(tiles: Tiles, wanted: string, build: (emit: Emit) => void): void {
    if (tiles.stamp === wanted) return;
    tiles.stamp = wanted;
    tiles.fill(build);
  }

  private paintLowDetail(scene: Scene, mapStyle: MapStyle, cells: ChunkCells): void {
    paintLowDetail(scene, mapStyle, this.chunk, cells, this.image);
    this.canvas.getContext("2d")?.putImageData(this.image, 0, 0);
    this.source.update();
  }
}

export class PixiRenderer implements Renderer {
  readonly kind = "webgl";
  private readonly root = new Container();
  private readonly world = new Container();
  private readonly cells = new Container();
  private readonly views = new Map<number, ChunkView>();
  private textures = new Map<string, Texture>();
  private atlas: TileAtlas | null = null;
  private tileSource: CanvasSource | null = null;
  private pieces: Tiles | null = null;
  private shownScene: Scene | null = null;
  private gridVersion = -1;
  private mapStyle: MapStyle | null = null;
  private styleVersion = 0;
  private ratio = 1;

  private constructor(private readonly renderer: WebGLRenderer) {
    this.root.addChild(this.world);
    this.world.addChild(this.cells);
  }

  static async create(host: HTMLElement): Promise<PixiRenderer> {
    // The ticker would ask for every frame, also while nothing changes; what it collects is destroyed here by hand.
    Ticker.system.autoStart = false;
    Ticker.system.stop();
    const renderer = new WebGLRenderer();
    const canvas = document.createElement("canvas");
    await renderer.init({ canvas, antialias: true, backgroundAlpha: 0, autoDensity: false, width: 8, height: 8, resolution: 1 });
    canvas.setAttribute("aria-hidden", "true");
    host.append(canvas);
    return new PixiRenderer(renderer);
  }

  resize(width: number, height: number, ratio: number): void {
    this.ratio = ratio;
    this.renderer.resize(Math.round(width * ratio), Math.round(height * ratio), 1);
    this.renderer.canvas.style.width = `${width}px`;
    this.renderer.canvas.style.height = `${height}px`;
  }

  render(input: RenderInput): void {
    const { scene, camera, mapStyle } = input;
    if (this.shownScene !== scene || this.gridVersion !== scene.gridVersion) this.start(scene);
    if (this.mapStyle !== mapStyle) {
      this.mapStyle = mapStyle;
      this.styleVersion++;
    }
    const scale = camera.zoom * this.ratio;
    const corner = camera.toScreen(0, 0);
    this.world.scale.set(scale);
    this.world.position.set(corner.x * this.ratio, corner.y * this.ratio);
    this.showChunks(input);
    this.showPieces(input, camera.detail);
    this.renderer.render(this.root);
  }

  destroy(): void {
    this.dropViews();
    this.renderer.canvas.remove();
    this.renderer.destroy();
  }

  /** Another scene or a larger board: drop what was painted; the tiles stay if the legend is the same. */
  private start(scene: Scene): void {
    const known = this.shownScene?.legend === scene.legend;
    const larger = this.shownScene?.grid.shape.size !== scene.grid.shape.size || this.gridVersion !== scene.gridVersion;
    this.shownScene = scene;
    this.gridVersion = scene.gridVersion;
    this.styleVersion++;
    if (!known || larger) this.dropViews();
    if (!known) this.makeTiles(scene);
  }

  private makeTiles(scene: Scene): void {
    this.pieces?.container.destroy();
    this.textures = new Map();
    this.atlas = new TileAtlas(scene.grid, scene.legend);
    this.tileSource = new CanvasSource({ resource: this.atlas.canvas, scaleMode: "linear", autoGenerateMipmaps: true });
    this.cutTiles();
    this.pieces = new Tiles(this.texture);
    this.world.addChild(this.pieces.container);
  }

  /** A texture for each tile of the atlas that has none. */
  private cutTiles(): void {
    const { tileSource: source } = this;
    if (source === null) return;
    for (const [tile, { x, y }] of this.atlas?.places ?? [])
      if (!this.textures.has(tile)) this.textures.set(tile, new Texture({ source, frame: new Rectangle(x, y, TILE, TILE) }));
  }

  private dropViews(): void {
    for (const view of this.views.values()) view.destroy();
    this.views.clear();
  }

  private readonly texture = (tile: string): Texture => this.textures.get(tile) ?? this.textures.get("dot") ?? Texture.WHITE;

  private showChunks(input: RenderInput): void {
    const { scene, camera } = input;
    const visible = new Set(scene.grid.chunksIn(camera.view));
    for (const [chunk, view] of this.views)
      if (!scene.chunks.has(chunk)) {
        view.destroy();
        this.views.delete(chunk);
      } else view.near.visible = view.far.visible = false;
    for (const chunk of visible) {
      const cells = scene.chunks.get(chunk);
      if (cells === undefined) continue;
      let view = this.views.get(chunk);
      if (view === undefined) {
        view = new ChunkView(scene, chunk, this.texture);
        this.views.set(chunk, view);
        this.cells.addChild(view.far, view.near);
      }
      view.show(input, cells, `/${this.styleVersion}`);
    }
  }

  private showPieces(input: RenderInput, detail: Detail): void {
    const { scene, mapStyle } = input;
    const wanted = `${scene.piecesVersion}/${this.styleVersion}/${detail}/${scene.turn}`;
    if (this.pieces === null || (this.pieces.stamp === wanted && !input.moving)) return;
    this.pieces.stamp = input.moving ? "" : wanted;
    if (this.atlas !== null && addSprites(scene, mapStyle, this.atlas)) {
      this.tileSource?.update();
      this.cutTiles();
    }
    this.pieces.fill((emit) => emitPieces(scene, mapStyle, detail, input.where, emit));
  }
}
