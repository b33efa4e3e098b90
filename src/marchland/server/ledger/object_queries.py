"""SQL of collections, schemas and templates: what items are made from."""

from typing import Any

import msgspec
from sqlalchemy import Connection, Row, insert, select
from sqlalchemy.exc import IntegrityError

from marchland.errors import Refused
from marchland.messages import CollectionCreate, CollectionInfo, SchemaCreate, SchemaInfo, TemplateInfo
from marchland.store.schema import collections, schemas, templates


def insert_collection(connection: Connection, request: CollectionCreate) -> CollectionInfo:
    """A new collection; refused if the game has one of the name."""
    query = insert(collections).values(game=request.game, name=request.name).returning(collections.c.id)
    try:
        with connection.begin_nested():
            number = connection.execute(query).scalar_one()
    except IntegrityError:
        raise Refused("name_taken", f"{request.game} has a collection {request.name!r} already.") from None
    return CollectionInfo(number, request.game, request.name)


def list_collections(connection: Connection) -> list[CollectionInfo]:
    """All collections, by number."""
    rows = connection.execute(select(collections).order_by(collections.c.id))
    return [CollectionInfo(row.id, row.game, row.name) for row in rows]


def find_collection(connection: Connection, number: int) -> CollectionInfo:
    """One collection; refused if there is none."""
    row = connection.execute(select(collections).where(collections.c.id == number)).first()
    if row is None:
        raise Refused("not_found", f"There is no collection {number}.")
    return CollectionInfo(row.id, row.game, row.name)


def insert_schema(connection: Connection, request: SchemaCreate) -> SchemaInfo:
    """A new schema; refused if its collection has one of the name."""
    values = {"collection": request.collection, "name": request.name, "kind": request.kind}
    query = insert(schemas).values(**values, facts=msgspec.json.encode(request.facts)).returning(schemas.c.id)
    try:
        with connection.begin_nested():
            number = connection.execute(query).scalar_one()
    except IntegrityError:
        raise Refused("name_taken", f"The collection has a schema {request.name!r} already.") from None
    return SchemaInfo(number, request.collection, request.name, request.kind, request.facts)


def list_schemas(connection: Connection) -> list[SchemaInfo]:
    """All schemas, by number."""
    return [_schema(row) for row in connection.execute(select(schemas).order_by(schemas.c.id))]


def find_schema(connection: Connection, number: int) -> SchemaInfo:
    """One schema; refused if there is none."""
    row = connection.execute(select(schemas).where(schemas.c.id == number)).first()
    if row is None:
        raise Refused("not_found", f"There is no schema {number}.")
    return _schema(row)


def insert_template(connection: Connection, template: TemplateInfo, origin: str | None = None) -> TemplateInfo:
    """A new template, whose number is assigned here."""
    facts = msgspec.json.encode(template.facts)
    values = {"game": template.game, "name": template.name, "kind": template.kind, "facts": facts, "minted": 0}
    query = insert(templates).values(**values, schema=template.schema, origin=origin).returning(templates.c.id)
    return msgspec.structs.replace(template, id=connection.execute(query).scalar_one(), minted=0)


def list_templates(connection: Connection) -> list[TemplateInfo]:
    """All templates, by number."""
    return [_template(row) for row in connection.execute(select(templates).order_by(templates.c.id))]


def find_template(connection: Connection, number: int) -> TemplateInfo:
    """One template; refused if there is none."""
    row = connection.execute(select(templates).where(templates.c.id == number)).first()
    if row is None:
        raise Refused("not_found", f"There is no template {number}.")
    return _template(row)


def _schema(row: Row[Any]) -> SchemaInfo:
    return SchemaInfo(row.id, row.collection, row.name, row.kind, msgspec.json.decode(row.facts))


def _template(row: Row[Any]) -> TemplateInfo:
    facts = msgspec.json.decode(row.facts)
    return TemplateInfo(row.id, row.game, row.name, row.kind, facts, row.minted, row.schema)
