"""Generated programs that hypothesis makes smaller when the modes disagree on one, and the generator itself."""

import io
import random
import tokenize

from hypothesis import given, settings

from tests.support.kernel_differences import FAST, find_difference
from tests.support.kernel_programs import GeneratedProgram, generate_program, programs


@settings(max_examples=60, derandomize=True)
@given(programs())
def test_the_modes_agree_on_a_generated_program(program: GeneratedProgram) -> None:
    assert find_difference(program, FAST) is None


def test_a_seed_always_gives_the_same_program() -> None:
    assert repr(generate_program(random.Random(5))) == repr(generate_program(random.Random(5)))


def test_generated_programs_use_the_whole_language() -> None:
    text = "\n".join(generate_program(random.Random(seed)).source for seed in range(300))
    used = {token.string for token in tokenize.generate_tokens(io.StringIO(text).readline)}
    words = "while for if elif else break continue return pass in not and or min max abs len int Word bool Point range"
    signs = "+ - * // % & | ^ ~ << >> < <= == != > >= += -= *= //= %= &= |= ^= <<= >>="
    assert set(f"{words} {signs} open_parts open_settings".split()) <= used


def test_a_wrong_result_is_seen() -> None:
    source = "@kernel\ndef main(x):\n    return x + 1\n"
    program = GeneratedProgram(source, [(1,)])
    assert find_difference(program, FAST) is None
    wrong = find_difference(program, FAST, reference=source.replace("+ 1", "+ 2"))
    assert wrong is not None
    assert "Python 3, here 2" in wrong
