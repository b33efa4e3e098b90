"""Programs that attack the machine that they play on, and what each would change if it succeeded.

Run as a script, it plays some of them in jails and prints a JSON object for each: its name, how the match ended for it,
and every effect that was found outside its jail. It imports no engine, so that it starts fast as any user.
"""

import contextlib
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from marchland.bots import Level, ProcessBot, ProcessOptions, Sandbox
from marchland.bots.process_options import MEGABYTE
from marchland.bots.usage import measure_descendants
from marchland.errors import BotError

SECRET = "sesame-4711"
MEMORY = 128 * MEGABYTE
SECONDS = 0.4
TURNS = 3

PRELUDE = """
import ctypes, glob, json, mmap, os, signal, socket, struct, subprocess, sys, threading, time
def attempt(attack, *arguments):
    try: return attack(*arguments)
    except BaseException as problem: return repr(problem)
def read(path):
    with open(path, 'rb') as file: return file.read(100_000).decode(errors='replace')
def write(path):
    with open(path, 'w') as file: file.write('changed')
    return path
def play(found=None):
    for line in sys.stdin:
        message = json.loads(line)
        if message['type'] == 'turn': print(json.dumps({'turn': message['turn'], 'orders': [found]}), flush=True)
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    return libc.syscall(number, *arguments), ctypes.get_errno()
"""

ATTACKS = {
    "forks without end": "while True: attempt(os.fork)",
    "starts threads without end": "while True: attempt(threading.Thread(target=time.sleep, args=(99,)).start)",
    "leaves a daemon": """
for _ in range(4):
    if os.fork() == 0:
        attempt(os.setsid)
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            while True: attempt(write, CANARY); time.sleep(0.01)
        os._exit(0)
play()""",
    "takes all memory": "held = []\nwhile True: held.append(b'x' * 10_000_000)",
    "takes all memory in many processes": """
for _ in range(25):
    if os.fork() == 0:
        held = b'x' * 100_000_000
        time.sleep(99)
time.sleep(99)""",
    "takes all memory as shared pages": """
held = []
while True:
    held.append(mmap.mmap(-1, 10_000_000))
    held[-1].write(b'x' * 10_000_000)""",
    "takes all memory through descriptors": """
while True:
    file = os.memfd_create('x')
    os.write(file, b'x' * 10_000_000)""",
    "fills the disk": """
def fill(folder):
    for number in range(100):
        with open(folder + '/big%d' % number, 'wb') as file: file.write(b'x' * 50_000_000)
for folder in ('/tmp', '/dev/shm', '/var/tmp', '.', os.path.dirname(CANARY), '/dev', '/'): attempt(fill, folder)
play()""",
    "makes files without end": """
for number in range(200_000):
    if isinstance(attempt(write, '/tmp/file%d' % number), str) and number > 100_000: break
play()""",
    "changes files of the host": """
for path in (CANARY, '/etc/passwd', '/usr/bin/changed', '/root/changed', '/var/tmp/changed',
             '/proc/sys/kernel/hostname', '/proc/sysrq-trigger', '/sys/changed', sys.argv[0], '/proc/1/root' + CANARY):
    attempt(write, path)
play([attempt(os.unlink, CANARY), attempt(os.chmod, CANARY, 0o777)])""",
    "connects by TCP": """
play([attempt(lambda: socket.create_connection(('127.0.0.1', PORT), 1).sendall(b'hello'))])""",
    "sends datagrams and names": """
attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'hello', ('127.0.0.1', PORT)))
attempt(lambda: socket.getaddrinfo('example.org', 80))
attempt(lambda: socket.socket(socket.AF_UNIX).connect(SOCKET))
attempt(lambda: socket.socket(socket.AF_UNIX).connect('\\0' + SECRET_NAME))
play()""",
    "speaks to the virtual machine's host": """
found = [attempt(lambda: socket.socket(family, socket.SOCK_STREAM).fileno() >= 0) for family in (40, 16, 38, 17)]
play('reached ' + repr(found) if True in found else found)""",
    "floods stdout": "while True: os.write(1, b'x' * 65536)",
    "floods stdout with answers": "while True: os.write(1, b'[]\\n' * 20_000)",
    "floods stderr": "while True: os.write(2, b'x' * 65536)",
    "never reads": "while True: time.sleep(9)",
    "reads files of other bots": """
found = [attempt(read, path) for path in (TREASURE, '/etc/shadow', '/etc/passwd', '/proc/1/root' + TREASURE)]
for folder in (os.path.dirname(TREASURE), '/root', '/home', '/work', '/tmp', '/var', '.', '..'):
    found += [folder + str(attempt(os.listdir, folder))]
play(found)""",
    "reads environments": """
found = [dict(os.environ)] + [attempt(read, path) for path in glob.glob('/proc/*/environ')]
play(found)""",
    "reads other processes": """
found = []
for pid in ['self', 'thread-self'] + [str(VICTIM), '1', str(os.getppid())]:
    for name in ('cmdline', 'maps', 'status', 'fd', 'cwd', 'root', 'mountinfo'):
        found.append(attempt(read, '/proc/%s/%s' % (pid, name)))
found += [attempt(read, path) for path in glob.glob('/proc/*/cmdline')]
play(found)""",
    "signals everyone": """
for target in (VICTIM, os.getppid(), 1, -1):
    for number in (signal.SIGTERM, signal.SIGSTOP, signal.SIGKILL): attempt(os.kill, target, number)
play()""",
    "traces other processes": """
found = [call(101, 16, VICTIM, 0, 0), call(101, 16, 1, 0, 0), call(310, VICTIM, 0, 0, 0, 0, 0)]
found += [call(321, 0, 0, 0), call(298, 0, 0, 0, 0, 0)]
play('reached ' + repr(found) if any(result >= 0 for result, _ in found) else found)""",
    "makes namespaces": """
found = [call(272, 0x10000000), call(272, 0x10020000), call(308, 0, 0), call(165, b'none', b'/tmp', b'tmpfs', 0, 0)]
found += [call(435, ctypes.create_string_buffer(64), 64)]
child = call(56, 0x10000000 | 17, 0, 0, 0, 0)
if child[0] == 0: os._exit(0)
found.append(child)
play('reached ' + repr(found) if any(result >= 0 for result, _ in found) else found)""",
    "computes in the turns of others": """
attempt(os.sched_setaffinity, 0, range(os.cpu_count()))
for _ in range(8):
    if os.fork() == 0:
        attempt(os.setsid)
        while True: pass
play()""",
    "does not leave": """
for number in range(1, 65): attempt(signal.signal, number, signal.SIG_IGN)
while True: attempt(play)""",
    "answers with eight megabytes": "while True: print('[' * 9_000_000, flush=True)",
    "writes to every descriptor": """
for file in range(3, 1024): attempt(os.write, file, b's'); attempt(os.close, file)
play(sorted(os.listdir('/proc/self/fd')))""",
    "stops itself": "attempt(os.kill, 0, signal.SIGSTOP)\nos.kill(os.getpid(), signal.SIGSTOP)\nplay()",
}
"""What each does, as Python."""


HARMLESS = ("connects by TCP", "sends datagrams and names", "reads files of other bots", "reads environments")
"""Those that may run in the open, to show that their effects are found."""
OPEN_LEVEL = "--open"


class World(NamedTuple):
    """What hostile bots would like to reach."""

    folder: Path
    victim: "subprocess.Popen[bytes]"
    listeners: list[socket.socket]

    @property
    def canary(self) -> Path:
        return self.folder / "canary"

    def source(self, attack: str) -> str:
        """The program, which knows where everything is."""
        tcp = self.listeners[0].getsockname()[1]
        known = {
            "CANARY": str(self.canary),
            "TREASURE": str(self.folder / "treasure"),
            "SOCKET": str(self.folder / "socket"),
            "SECRET_NAME": self.folder.name,
            "PORT": tcp,
            "VICTIM": self.victim.pid,
        }
        return PRELUDE + "".join(f"{name} = {value!r}\n" for name, value in known.items()) + attack + "\n"

    def find_effects(self, said: str) -> Iterator[str]:
        """Everything that is not as it was."""
        if not self.canary.is_file() or self.canary.read_text() != "untouched":
            yield "the canary was changed"
        if SECRET in said:
            yield "the secret was read"
        if "reached" in said:
            yield said[:300]
        state = Path(f"/proc/{self.victim.pid}/stat").read_text().rpartition(")")[2].split()[0]
        if self.victim.poll() is not None or state not in "SR":
            yield f"the victim is in state {state}"
        for listener in self.listeners:
            with contextlib.suppress(BlockingIOError):
                listener.recv(1) if listener.type == socket.SOCK_DGRAM else listener.accept()
                yield f"a connection came to {listener.getsockname()}"
        extra = sorted(path.name for path in self.folder.iterdir())
        if extra != ["canary", "hostile.py", "socket", "treasure"]:
            yield f"the folder has {extra}"


@contextlib.contextmanager
def world() -> Iterator[World]:
    """A folder with files, a process of this user, and open sockets."""
    folder = Path(tempfile.mkdtemp(prefix="hostile-"))
    folder.chmod(0o755)
    (folder / "canary").write_text("untouched")
    (folder / "treasure").write_text(SECRET)
    tcp, udp = socket.create_server(("127.0.0.1", 0)), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(tcp.getsockname())
    named, abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    named.bind(str(folder / "socket"))
    abstract.bind("\0" + folder.name)
    listeners = [tcp, udp, named, abstract]
    for listener in listeners:
        listener.setblocking(False)
        if listener.type == socket.SOCK_STREAM:
            listener.listen()
    environment = {**os.environ, "TOKEN": SECRET}
    victim = subprocess.Popen(["sleep", "600"], env=environment)
    try:
        yield World(folder, victim, listeners)
    finally:
        victim.kill()
        victim.wait()
        for listener in listeners:
            listener.close()
        shutil.rmtree(folder)


class _Watch(threading.Thread):
    """The most memory that the bot's processes had together."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most = 0
        self.done = threading.Event()

    def run(self) -> None:
        while not self.done.wait(0.02):
            self.most = max(self.most, measure_descendants(os.getpid()).memory)


def attack(found: World, name: str, level: Level = "jailed") -> dict[str, Any]:
    """Play one hostile bot, and list its effects."""
    program = found.folder / "hostile.py"
    program.write_text(found.source(ATTACKS[name]))
    program.chmod(0o644)
    os.environ["TOKEN"] = SECRET
    options = ProcessOptions(memory=MEMORY, sandbox=Sandbox(level)).for_rating()
    bot = ProcessBot(
        [sys.executable, "-I", "-S", str(program)], seconds=SECONDS, first_seconds=SECONDS, options=options
    )
    watch, failure, said = _Watch(), "", ""
    before = measure_descendants(os.getpid())
    watch.start()
    bot.start({"game": "none", "seat": 0})
    for turn in range(1, TURNS + 1):
        try:
            said += json.dumps(bot.play({"turn": turn, "padding": "x" * 1000}))
        except BotError as problem:
            failure = str(problem)
            break
        idle = bot.usage().cpu
        time.sleep(0.05)  # the turn of another bot
        if not failure and bot.usage().cpu > idle + 0.02:
            said += "reached the turn of another bot"
    began = time.monotonic()
    bot.end(None)
    bot.close()
    watch.done.set()
    watch.join()
    effects = list(found.find_effects(said + bot.stderr))
    if time.monotonic() - began > 5:
        effects.append("it took long to end")
    left = measure_descendants(os.getpid())
    if left.processes > before.processes:
        effects.append(f"{left.processes - before.processes} processes are left")
    if watch.most > before.memory + 3 * MEMORY:
        effects.append(f"it used {watch.most >> 20} MB")
    return {"name": name, "failure": failure, "effects": effects, "memory": watch.most}


def choose(count: int | None, seed: int) -> list[str]:
    """Some attacks by chance, or all."""
    return list(ATTACKS) if count is None else random.Random(seed).sample(sorted(ATTACKS), count)


def main() -> None:
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    names = [word for word in sys.argv[1:] if word != OPEN_LEVEL] or list(ATTACKS)
    level: Level = "open" if OPEN_LEVEL in sys.argv else "jailed"
    if level == "open" and not set(names) <= set(HARMLESS):
        sys.exit("These would do harm in the open.")
    with world() as found:
        for name in names:
            print(json.dumps(attack(found, name, level)), flush=True)


if __name__ == "__main__":
    main()
