"""The container file and the compose file; there may be no engine here, so they are read, not run."""

import json
import re
from typing import Any

from tests.support.deploy_files import DEPLOY, PORT, container_instructions, parse_command, read_yaml
from tests.support.pages import ROOT

IMAGE = re.compile(r"[a-z0-9]+(:[\w.-]+)?")
"""A name and a tag, without the host of a registry."""


def last_stage() -> list[tuple[str, str]]:
    instructions = container_instructions()
    starts = [number for number, (word, _) in enumerate(instructions) if word == "FROM"]
    assert len(starts) == 2
    return instructions[starts[-1] :]


def argument_of(word: str) -> str:
    """The argument of an instruction that the last stage has once."""
    (argument,) = [rest for instruction, rest in last_stage() if instruction == word]
    return argument


def test_images_have_names_without_a_registry() -> None:
    images = [rest.split()[0] for word, rest in container_instructions() if word == "FROM"]
    images += [service["image"] for service in read_yaml("compose.yaml")["services"].values()]
    assert len(images) == 6
    assert [image for image in images if not IMAGE.fullmatch(image)] == []


def test_every_base_image_has_a_tag_that_names_a_version() -> None:
    tags = [rest.split()[0].partition(":")[2] for word, rest in container_instructions() if word == "FROM"]
    assert [tag for tag in tags if not tag or "latest" in tag] == []


def test_commands_of_the_image_start_without_a_shell() -> None:
    for word in ("ENTRYPOINT", "CMD"):
        assert json.loads(argument_of(word))
    assert "CMD [" in argument_of("HEALTHCHECK")


def test_a_failing_step_of_the_build_fails_the_build() -> None:
    """A pipe hides the failure of its first command, `;` that of the one before it, unless it ends a loop."""
    for step in (rest for word, rest in container_instructions() if word == "RUN"):
        assert " | " not in step
        assert "`" not in step and "$(" not in step
        assert step.count(";") == 2 * step.count("for ")


def test_packages_are_installed_alone_and_leave_no_lists_behind() -> None:
    steps = [rest for word, rest in container_instructions() if word == "RUN" and "apt-get install" in rest]
    assert steps
    for step in steps:
        assert step.startswith("apt-get update && ")
        assert "--no-install-recommends" in step
        assert step.endswith("rm -rf /var/lib/apt/lists/*")


def test_directories_change_by_workdir_and_files_come_by_copy() -> None:
    instructions = container_instructions()
    assert [rest for word, rest in instructions if word == "RUN" and re.search(r"\b(cd|sudo) ", rest)] == []
    assert [rest for word, rest in instructions if word == "WORKDIR" and not rest.startswith("/")] == []
    assert {"ADD", "MAINTAINER", "ONBUILD"} & {word for word, _ in instructions} == set()


def test_the_image_serves_on_the_port_that_it_exposes() -> None:
    assert json.loads(argument_of("ENTRYPOINT")) == ["marchland"]
    options = parse_command(json.loads(argument_of("CMD")))
    assert (options["host"], options["port"]) == ("0.0.0.0", PORT)
    assert argument_of("EXPOSE") == str(PORT)


def test_the_image_does_not_run_as_root() -> None:
    words = [word for word, _ in last_stage()]
    assert int(argument_of("USER")) > 0
    assert "USER" in words[: words.index("VOLUME")]
    assert f"--uid {argument_of('USER')}" in " ".join(rest for word, rest in last_stage() if word == "RUN")


def test_database_and_kernel_cache_are_in_the_volume() -> None:
    volume = argument_of("VOLUME")
    assert parse_command(json.loads(argument_of("CMD")))["db"].startswith(f"{volume}/")
    assert f"MARCHLAND_CACHE={volume}/" in argument_of("ENV")


def test_the_image_asks_itself_for_its_health() -> None:
    check = argument_of("HEALTHCHECK")
    program = json.loads(check[check.index("[") :])
    assert program[0] == "python"
    assert f"http://127.0.0.1:{PORT}/healthz" in program[2]
    compile(program[2], "healthcheck", "exec")


def test_every_file_that_the_last_stage_copies_from_the_repository_exists() -> None:
    copied = [rest.split()[0] for word, rest in last_stage() if word == "COPY" and "--from" not in rest]
    assert copied
    assert [path for path in copied if not (ROOT / path).is_file()] == []


def test_the_build_takes_what_make_dist_needs() -> None:
    ignored = (DEPLOY / "Containerfile.dockerignore").read_text().split()
    assert not {"web", "docs", "src", "requirements.lock", "Makefile", "README.md", "LICENSE", "deploy"} & set(ignored)


def services() -> dict[str, Any]:
    found: dict[str, Any] = read_yaml("compose.yaml")["services"]
    return found


def test_both_nodes_run_the_same_command_with_options_that_exist() -> None:
    first, second = services()["first"], services()["second"]
    assert first["command"] == second["command"]
    options = parse_command(first["command"])
    assert options["port"] == PORT
    postgres = services()["postgres"]["environment"]
    assert options["db"] == f"postgresql://{postgres['POSTGRES_USER']}@postgres/{postgres['POSTGRES_DB']}"


def test_each_node_has_a_kernel_cache_of_its_own() -> None:
    volumes = [services()[name]["volumes"][0].split(":") for name in ("first", "second")]
    assert {place for _, place in volumes} == {argument_of("VOLUME")}
    assert len({name for name, _ in volumes}) == 2


def test_secrets_come_from_the_environment_and_must_be_set() -> None:
    for name in ("first", "second"):
        assert services()[name]["environment"]["MARCHLAND_ADMIN_TOKEN"].startswith("${MARCHLAND_ADMIN_TOKEN:?")
        assert services()[name]["environment"]["PGPASSWORD"].startswith("${MARCHLAND_DB_PASSWORD:?")
    assert services()["postgres"]["environment"]["POSTGRES_PASSWORD"].startswith("${MARCHLAND_DB_PASSWORD:?")


def address_of(service: str) -> str:
    return str(services()[service]["networks"]["inside"]["ipv4_address"])


def test_the_balancer_knows_the_nodes_and_they_trust_only_its_header() -> None:
    balancer = services()["balancer"]["environment"]
    assert balancer["MARCHLAND_FIRST"] == f"{address_of('first')}:{PORT}"
    assert balancer["MARCHLAND_SECOND"] == f"{address_of('second')}:{PORT}"
    assert parse_command(services()["first"]["command"])["trusted_proxies"] == (f"{address_of('balancer')}/32",)


def test_only_the_balancer_is_reachable_and_only_on_this_machine() -> None:
    published = {name: service["ports"] for name, service in services().items() if "ports" in service}
    assert published == {"balancer": [f"127.0.0.1:{PORT}:{PORT}"]}
