/** Reads MessagePack, as far as `.march` files use it. */

const text = new TextDecoder();

export function unpack(bytes: Uint8Array): unknown {
  return new Reader(bytes).read();
}

class Reader {
  private place = 0;
  private readonly view: DataView;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  read(): unknown {
    const head = this.take(1);
    const byte = this.view.getUint8(head);
    if (byte < 0x80) return byte;
    if (byte < 0x90) return this.map(byte & 15);
    if (byte < 0xa0) return this.list(byte & 15);
    if (byte < 0xc0) return this.string(byte & 31);
    if (byte >= 0xe0) return byte - 256;
    const { view } = this;
    switch (byte) {
      case 0xc0: return null;
      case 0xc2: return false;
      case 0xc3: return true;
      case 0xc4: return this.binary(view.getUint8(this.take(1)));
      case 0xc5: return this.binary(view.getUint16(this.take(2)));
      case 0xc6: return this.binary(view.getUint32(this.take(4)));
      case 0xca: return view.getFloat32(this.take(4));
      case 0xcb: return view.getFloat64(this.take(8));
      case 0xcc: return view.getUint8(this.take(1));
      case 0xcd: return view.getUint16(this.take(2));
      case 0xce: return view.getUint32(this.take(4));
      case 0xcf: return Number(view.getBigUint64(this.take(8)));
      case 0xd0: return view.getInt8(this.take(1));
      case 0xd1: return view.getInt16(this.take(2));
      case 0xd2: return view.getInt32(this.take(4));
      case 0xd3: return Number(view.getBigInt64(this.take(8)));
      case 0xd9: return this.string(view.getUint8(this.take(1)));
      case 0xda: return this.string(view.getUint16(this.take(2)));
      case 0xdb: return this.string(view.getUint32(this.take(4)));
      case 0xdc: return this.list(view.getUint16(this.take(2)));
      case 0xdd: return this.list(view.getUint32(this.take(4)));
      case 0xde: return this.map(view.getUint16(this.take(2)));
      case 0xdf: return this.map(view.getUint32(this.take(4)));
      default: throw new Error(`The byte ${byte} means nothing here.`);
    }
  }

  /** Move on by so many bytes; the place before them. */
  private take(count: number): number {
    const before = this.place;
    this.place += count;
    if (this.place > this.bytes.length) throw new Error("It breaks off.");
    return before;
  }

  private string(length: number): string {
    const start = this.take(length);
    return text.decode(this.bytes.subarray(start, start + length));
  }

  private binary(length: number): Uint8Array {
    const start = this.take(length);
    return this.bytes.subarray(start, start + length);
  }

  private list(length: number): unknown[] {
    const items: unknown[] = [];
    for (let index = 0; index < length; index++) items.push(this.read());
    return items;
  }

  private map(length: number): Record<string, unknown> {
    const entries: Record<string, unknown> = {};
    for (let index = 0; index < length; index++) {
      const key = String(this.read());
      entries[key] = this.read();
    }
    return entries;
  }
}
