"""Submissions are unpacked with care, built in their sandbox, and refused with a sentence."""

import io
import os
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from marchland.bots import ProcessOptions, Sandbox, load_user_bot
from marchland.bots.submission import SubmissionError, build, open_submission, unpack, unpacked
from tests.support.jails import needs_jail

from .conftest import view

TOML = 'name = "mine"\nrun = "sh bot.sh"\nbuild = "echo echo [7] > bot.sh; echo built"\n'
Pack = Callable[[dict[str, bytes]], Path]


def folder_of(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.toml").write_text(TOML)
    return folder


def refusal(source: Path, tmp_path: Path) -> str:
    target = tmp_path / "target"
    target.mkdir()
    with pytest.raises(SubmissionError) as raised:
        unpack(source, target)
    return str(raised.value)


def zip_of(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def tar_of(path: Path, entries: list[tuple[tarfile.TarInfo, bytes]]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for info, content in entries:
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


def link(name: str, target: str, kind: bytes = tarfile.SYMTYPE) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info, b""


def plain(name: str, content: bytes = b"x", mode: int = 0o644) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.mode = mode
    return info, content


def test_a_folder_a_zip_and_a_tar_are_the_same_submission(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    sources = [
        folder,
        zip_of(tmp_path / "mine.zip", {"bot.toml": TOML.encode()}),
        tar_of(tmp_path / "mine.tgz", [plain("mine/bot.toml", TOML.encode())]),
    ]
    found = []
    for source in sources:
        with unpacked(source) as submission:
            found.append((submission.description.name, submission.sha256, submission.command()))
    assert found == [("mine", found[0][1], ["sh", "bot.sh"])] * 3


def test_a_python_file_is_a_submission(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("def play(view): return [view['turn']]\n")
    with unpacked(path) as submission:
        assert (submission.description.name, submission.files) == ("mine", 2)
        bot = load_user_bot(str(submission.folder), seconds=20)
        assert bot.move(view(5)) == [5]
        assert bot.close is not None
        bot.close()


def test_executables_stay_executable_and_links_inside_stay(tmp_path: Path) -> None:
    source = tar_of(tmp_path / "a.tgz", [plain("run", mode=0o4755), link("alias", "run"), plain("data")])
    target = tmp_path / "target"
    target.mkdir()
    unpack(source, target)
    assert [stat.S_IMODE((target / name).stat().st_mode) for name in ("run", "data")] == [0o755, 0o644]
    assert (target / "alias").readlink() == Path("run")


@pytest.mark.parametrize(
    ("entries", "sentence"),
    [
        ([plain("../out")], "'../out' leads out of the submission."),
        ([plain("a/../../out")], "'a/../../out' leads out of the submission."),
        ([plain("/etc/out")], "'/etc/out' is no path inside the submission"),
        ([plain("a\\b")], "is no path inside the submission"),
        ([link("a", "/etc/passwd")], "a links to '/etc/passwd', outside the submission."),
        ([link("a", "../out")], "a links to '../out', outside the submission."),
        ([link("d/up", ".."), link("x", "d/up/..")], "links to 'd/up/..', outside the submission."),
        ([link("a", "b", tarfile.LNKTYPE)], "'a' is neither a file nor a folder nor a symbolic link."),
        ([link("a", "", tarfile.FIFOTYPE)], "'a' is neither a file nor a folder nor a symbolic link."),
        ([plain("a"), plain("a")], "'a' is there twice."),
        ([link("a", "d"), plain("d/x"), plain("a/x")], "'a' is there twice."),
        ([plain(f"file{number}") for number in range(5001)], "The submission has more than 5,000 files."),
    ],
)
def test_what_leads_out_or_is_too_much_is_refused(
    entries: list[tuple[tarfile.TarInfo, bytes]], sentence: str, tmp_path: Path
) -> None:
    assert sentence in refusal(tar_of(tmp_path / "a.tgz", entries), tmp_path)
    assert not (tmp_path / "out").exists()


def test_zips_that_lead_out_are_refused(tmp_path: Path) -> None:
    assert "leads out" in refusal(zip_of(tmp_path / "a.zip", {"../out": b"x"}), tmp_path)


def test_a_zip_with_a_link_out_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    info = zipfile.ZipInfo("a")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(info, "../../etc/passwd")
    assert "outside the submission" in refusal(path, tmp_path)


def test_a_folder_with_a_link_out_is_refused(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    (folder / "a").symlink_to("/etc/passwd")
    assert "a links to '/etc/passwd', outside the submission." in refusal(folder, tmp_path)


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_bombs_are_refused(kind: str, tmp_path: Path) -> None:
    zeros = bytes(201 * 2**20)
    if kind == "zip":
        source = zip_of(tmp_path / "a.zip", {"zeros": zeros})
    else:
        source = tar_of(tmp_path / "a.tgz", [plain("zeros", zeros)])
    assert source.stat().st_size < 2**20
    assert refusal(source, tmp_path) == "The submission is larger than 200 MB when it is unpacked."


def test_large_archives_and_other_files_are_refused(tmp_path: Path) -> None:
    large = tmp_path / "large.zip"
    with large.open("wb") as file:
        file.truncate(20 * 2**20 + 1)
    assert refusal(large, tmp_path) == "large.zip is larger than 20 MB."
    (tmp_path / "text.zip").write_text("no archive")
    with pytest.raises(SubmissionError, match=r"text\.zip is no zip or tar archive"), unpacked(tmp_path / "text.zip"):
        pass
    with pytest.raises(SubmissionError, match="There is no "), unpacked(tmp_path / "nothing.zip"):
        pass


@pytest.mark.parametrize(
    ("toml", "sentence"),
    [
        (None, r"There is no bot\.toml at the top of the submission\."),
        ("name = 3", r"bot\.toml cannot be read: Expected `str`, got `int`"),
        ('name = "x"\nrun = ""', r"bot\.toml needs a name and a command to run\."),
        ('name = "x"\nrun = "a"\nbiuld = "b"', "unknown field `biuld`"),
        ("name = ", r"bot\.toml cannot be read"),
    ],
)
def test_a_bad_description_is_refused(toml: str | None, sentence: str, tmp_path: Path) -> None:
    if toml is not None:
        (tmp_path / "bot.toml").write_text(toml)
    with pytest.raises(SubmissionError, match=sentence):
        open_submission(tmp_path)


LEVELS = ["open", pytest.param("jailed", marks=needs_jail)]


@pytest.mark.parametrize("level", LEVELS)
def test_it_is_built_and_plays_from_its_folder(level: str, tmp_path: Path) -> None:
    options = ProcessOptions(sandbox=Sandbox(level))  # type: ignore[arg-type]
    with unpacked(folder_of(tmp_path)) as submission:
        built = build(submission, options)
        assert built is not None
        assert built.output == "built\n"
        assert (submission.folder / "bot.sh").stat().st_uid == os.geteuid()
        bot = load_user_bot(str(submission.folder), seconds=20, options=options)
        assert bot.move(view()) == [7]
        assert bot.close is not None
        bot.close()


@pytest.mark.parametrize("level", LEVELS)
def test_a_build_that_fails_is_refused_with_its_words(level: str, tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    (folder / "bot.toml").write_text('name = "x"\nrun = "./x"\nbuild = "echo no rule >&2; exit 2"\n')
    with unpacked(folder) as submission, pytest.raises(SubmissionError) as raised:
        build(submission, ProcessOptions(sandbox=Sandbox(level)))  # type: ignore[arg-type]
    assert str(raised.value) == "The build failed with exit code 2; it said 'no rule'."


@needs_jail
def test_a_jailed_build_cannot_leave_its_folder(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    (folder / "bot.toml").write_text(f'name = "x"\nrun = "./x"\nbuild = "echo x > {tmp_path}/out || echo refused"\n')
    with unpacked(folder) as submission:
        built = build(submission, ProcessOptions(sandbox=Sandbox("jailed")))
    assert built is not None
    assert built.output.endswith("refused\n")
    assert not (tmp_path / "out").exists()
