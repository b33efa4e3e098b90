"""SQL of collections, schemas, templates and pictures: what items are made from."""

import hashlib
import time
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, insert, select
from sqlalchemy.exc import IntegrityError

from marchland.errors import Refused
from marchland.messages import CollectionCreate, CollectionInfo, PictureInfo, SchemaCreate, SchemaInfo, TemplateInfo
from marchland.server.ledger.png import Picture
from marchland.store.batches import batches
from marchland.store.schema import collections, pictures, schemas, templates
from marchland.store.upsert import insert_or_ignore


def insert_picture(connection: Connection, picture: Picture) -> PictureInfo:
    """Store a picture, or find the same one."""
    info = PictureInfo(hashlib.sha256(picture.data).hexdigest()[:32], picture.width, picture.height)
    values = {"id": info.id, **picture._asdict(), "created": time.time()}
    insert_or_ignore(connection, pictures, values)
    return info


def find_picture(connection: Connection, id: str) -> bytes:
    """The PNG file of a picture; refused if there is none."""
    data = connection.execute(select(pictures.c.data).where(pictures.c.id == id)).scalar()
    if data is None:
        raise Refused("not_found", "no_such_picture", picture=id)
    return bytes(data)


def insert_collection(connection: Connection, request: CollectionCreate) -> CollectionInfo:
    """A new collection; refused if the game has one of the name."""
    query = insert(collections).values(game=request.game, name=request.name).returning(collections.c.id)
    try:
        with connection.begin_nested():
            number = connection.execute(query).scalar_one()
    except IntegrityError:
        raise Refused("name_taken", "collection_name_taken", game=request.game, name=request.name) from None
    return CollectionInfo(number, request.game, request.name)


def list_collections(connection: Connection) -> list[CollectionInfo]:
    """All collections, by number."""
    rows = connection.execute(select(collections).order_by(collections.c.id))
    return [CollectionInfo(row.id, row.game, row.name) for row in rows]


def find_collection(connection: Connection, number: int) -> CollectionInfo:
    """One collection; refused if there is none."""
    row = connection.execute(select(collections).where(collections.c.id == number)).first()
    if row is None:
        raise Refused("not_found", "no_such_collection", number=number)
    return CollectionInfo(row.id, row.game, row.name)


def insert_schema(connection: Connection, request: SchemaCreate) -> SchemaInfo:
    """A new schema; refused if its collection has one of the name."""
    values = {"collection": request.collection, "name": request.name, "kind": request.kind}
    query = insert(schemas).values(**values, facts=msgspec.json.encode(request.facts)).returning(schemas.c.id)
    try:
        with connection.begin_nested():
            number = connection.execute(query).scalar_one()
    except IntegrityError:
        raise Refused("name_taken", "schema_name_taken", name=request.name) from None
    return SchemaInfo(number, request.collection, request.name, request.kind, request.facts)


def list_schemas(connection: Connection) -> list[SchemaInfo]:
    """All schemas, by number."""
    return [_schema(row) for row in connection.execute(select(schemas).order_by(schemas.c.id))]


def find_schema(connection: Connection, number: int) -> SchemaInfo:
    """One schema; refused if there is none."""
    row = connection.execute(select(schemas).where(schemas.c.id == number)).first()
    if row is None:
        raise Refused("not_found", "no_such_schema", number=number)
    return _schema(row)


def insert_template(connection: Connection, template: TemplateInfo) -> TemplateInfo:
    """A new template, whose number is assigned here."""
    query = insert(templates).values(**_template_values(template)).returning(templates.c.id)
    return msgspec.structs.replace(template, id=connection.execute(query).scalar_one(), minted=0)


def insert_templates(connection: Connection, by_origin: Mapping[str, TemplateInfo]) -> None:
    """New templates for what the external ledger calls by these names."""
    rows = [{**_template_values(template), "origin": origin} for origin, template in by_origin.items()]
    if rows:
        connection.execute(insert(templates), rows)


def numbers_by_origin(connection: Connection, origins: Sequence[str]) -> dict[str, int]:
    """The numbers of those templates of the external ledger that exist here."""
    query = select(templates.c.origin, templates.c.id)
    rows = (row for some in batches(origins) for row in connection.execute(query.where(templates.c.origin.in_(some))))
    return {row.origin: row.id for row in rows}


def _template_values(template: TemplateInfo) -> dict[str, Any]:
    shared = {"game": template.game, "name": template.name, "kind": template.kind, "schema": template.schema}
    return {**shared, "facts": msgspec.json.encode(template.facts), "minted": 0}


def list_templates(connection: Connection) -> list[TemplateInfo]:
    """All templates, by number."""
    return [_template(row) for row in connection.execute(select(templates).order_by(templates.c.id))]


def find_template(connection: Connection, number: int) -> TemplateInfo:
    """One template; refused if there is none."""
    row = connection.execute(select(templates).where(templates.c.id == number)).first()
    if row is None:
        raise Refused("not_found", "no_such_template", number=number)
    return _template(row)


def _schema(row: Row[Any]) -> SchemaInfo:
    return SchemaInfo(row.id, row.collection, row.name, row.kind, msgspec.json.decode(row.facts))


def _template(row: Row[Any]) -> TemplateInfo:
    facts = msgspec.json.decode(row.facts)
    return TemplateInfo(row.id, row.game, row.name, row.kind, facts, row.minted, row.schema)
