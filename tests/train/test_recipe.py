"""A recipe says all it means, and what cannot work is refused with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from botpsy.errors import ConfigError
from botpsy.train.recipe import read_recipe

OPTIM = "optim = { lr = 1e-3 }"
MODEL = '[model]\nbase = "weights"\n'
SUITE = '[[suite]]\nname = "loss"\nkind = "loss"\nrows = "rows"\n'
SFT = f"""
[sft]
rows = ["a"]
max_tokens = 64
batch_tokens = 128
evaluate_every = 5
select = "loss"
{OPTIM}
"""
ON_POLICY = f"""
steps = 8
prompts = 4
updates = 2
evaluate_every = 4
max_prompt_tokens = 64
max_reply_tokens = 64
batch_tokens = 128
select = "loss"
{OPTIM}
"""
ROUTED = 'mix = [{ name = "calls", share = 1, rows = "tasks", route = "tools" }]\n'
MIX = ROUTED.replace(', route = "tools"', "")
TEACHER = '[[teacher]]\nname = "t"\nroutes = ["tools"]\nmodel = "ready"\n'
MOPD = f"[mopd]{ON_POLICY}{ROUTED}"
DAPO = f"[[dapo]]{ON_POLICY}{MIX}"
WHOLE = f'name = "x"\n{MODEL}{SUITE}{SFT}{TEACHER}{MOPD}{DAPO}{DAPO}'


def read(tmp_path: Path, text: str):
    path = tmp_path / "r.toml"
    path.write_text(text, "utf-8")
    return read_recipe(path)


def test_all_stages_in_order(tmp_path: Path) -> None:
    trained = TEACHER.replace('model = "ready"', 'base = "big"') + SFT.replace(
        "[sft]", "[teacher.sft]"
    )
    recipe = read(tmp_path, WHOLE.replace(TEACHER, trained))
    assert list(recipe.stages()) == ["sft", "teacher-t-sft", "mopd", "dapo1", "dapo2"]
    assert [recipe.before(name) for name in recipe.stages()] == ["", "", "sft", "mopd", "dapo1"]
    assert recipe.base_of("teacher-t-sft") == "big"
    assert recipe.base_of("dapo2") == "weights"
    assert recipe.data() == ["rows", "a", "tasks"]
    assert recipe.teacher_of("tools").name == "t"
    assert recipe.file("a") == tmp_path / "a"
    with pytest.raises(ConfigError, match="'poetry'"):
        recipe.teacher_of("poetry")


def test_a_teacher_may_start_from_the_students_first_stage(tmp_path: Path) -> None:
    trained = TEACHER.replace('model = "ready"', 'base = "sft"')
    trained += DAPO.replace("[[dapo]]", "[teacher.dapo]")
    recipe = read(tmp_path, WHOLE.replace(TEACHER, trained))
    assert recipe.before("teacher-t-dapo") == "sft"
    assert recipe.base_of("teacher-t-dapo") == "weights"
    assert recipe.before("sft") == ""
    with pytest.raises(ConfigError, match="there is none"):
        read(tmp_path, WHOLE.replace(TEACHER, trained).replace(SFT, ""))


def test_a_teachers_name_may_begin_as_anothers(tmp_path: Path) -> None:
    def teacher(name: str) -> str:
        text = TEACHER.replace('"t"', f'"{name}"').replace('"tools"', f'"{name}"')
        trained = SFT.replace("[sft]", "[teacher.sft]")
        return text.replace('model = "ready"', f'base = "base-{name}"') + trained

    both = ROUTED.replace('"tools" }', '"a" }, { name = "b", share = 1, rows = "t", route = "a-b"}')
    text = WHOLE.replace(TEACHER, teacher("a") + teacher("a-b")).replace(ROUTED, both)
    recipe = read(tmp_path, text)
    assert recipe.base_of("teacher-a-b-sft") == "base-a-b"
    assert recipe.base_of("teacher-a-sft") == "base-a"


def test_the_mission_is_the_default_of_dapo(tmp_path: Path) -> None:
    dapo = read(tmp_path, WHOLE).dapo[0]
    assert (dapo.clip_low, dapo.clip_high, dapo.mask_truncated) == (0.2, 0.28, True)
    assert (dapo.temperature, dapo.top_p, dapo.top_k) == (1.0, 1.0, 0)


def test_the_hash_is_of_what_is_said(tmp_path: Path) -> None:
    one = read(tmp_path, WHOLE)
    assert read(tmp_path, WHOLE + "\n# a comment").hash == one.hash
    assert read(tmp_path, WHOLE.replace("steps = 8", "steps = 16")).hash != one.hash


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("max_tokens = 64\n", "max_token = 64\n", r"sft\.max_token: unknown key\. .*max_tokens"),
        ("prompts = 4", "promts = 4", r"mopd\.promts: unknown key\. Did you mean prompts"),
        ('name = "calls", share = 1', 'name = "calls", shares = 1', r"mix\.calls\.shares: unknown"),
        ("lr = 1e-3", "lr = 0", r"sft\.optim\.lr: .*greater than 0"),
        ('base = "weights"', 'base = "weights"\nformat = "chatml"', r"model\.format: "),
        ("batch_tokens = 128\nevaluate_every = 5", "batch_tokens = 32\nevaluate_every = 5",
         "a row of max_tokens = 64 does not fit batch_tokens = 32"),
        ('select = "loss"', 'select = "lost"', "sft.select: there is no suite 'lost'"),
        ("updates = 2", "updates = 3", "cannot be split into 3 updates"),
        ("evaluate_every = 4", "evaluate_every = 3", "between generations"),
        ("max_reply_tokens = 64", "max_reply_tokens = 65", r"one episode .* = 129\) does not fit"),
        (', route = "tools"', "", "has no route to a teacher"),
        (', route = "tools"', ', route = "tool"', "no teacher has the route 'tool'"),
        ('routes = ["tools"]', 'routes = ["tools", "idle"]', "has the route 'idle'"),
        ('model = "ready"', "", "either a model .* or a base"),
        ('model = "ready"', 'base = "big"', "a base is trained by sft, dapo or both"),
        (TEACHER, "", "mopd needs at least one"),
        (TEACHER, TEACHER + TEACHER, "teacher 't' is there 2 times"),
        (MOPD, "", "there are teachers but no mopd section"),
        (DAPO, DAPO + "group = 1\n", r"dapo\.0\.group: must be greater than .* 2, not 1"),
        (DAPO, DAPO.replace(MIX, ROUTED), "dapo.0: part 'calls' of the mix has a route"),
        (DAPO + DAPO, DAPO.replace("[[", "[").replace("]]", "]"), r"dapo: .*double brackets"),
        ("[sft]", "[[sft]]", r"sft: .*single brackets"),
        ('rows = ["a"]', 'rows = "a"', r"sft\.rows: must be a list"),
        ('rows = ["a"]', "rows = []", r"sft\.rows: must not be empty"),
        ('optim = { lr = 1e-3 }', 'optim = 1e-3', r"sft\.optim: must be a table"),
        ("steps = 8", 'steps = "8"', r'mopd\.steps: must be a valid integer, not "8"'),
        ("updates = 2", "updates = 2\ncheckpointing = 1", r"checkpointing: .* boolean"),
        ("lr = 1e-3", "lr = inf", r"sft\.optim\.lr: must be a finite number"),
        ("lr = 1e-3", "lr = 1e-3, final_lr = 2", r"final_lr: must be less .* 1, not 2"),
        ("evaluate_every = 4", "evaluate_every = 10", "evaluate_every = 10 is beyond steps = 8"),
        ("max_tokens = 64\n", "max_tokens = 64\nlimit_steps = 4\n", "beyond limit_steps = 4"),
        ('base = "weights"', 'base = ""', r"model\.base: .*at least 1 character"),
        ('base = "weights"', 'base = "random:huge"\ntexts = ["a"]\nvocabulary = 400',
         "model: base: there is no shape 'huge'; known: tiny"),
        ('base = "weights"', 'base = "random:tiny"\ntexts = ["a"]\nvocabulary = 256',
         "vocabulary = 256 has no room"),
        ('model = "ready"', f'base = "random:big"\n[teacher.dapo]{ON_POLICY}{MIX}',
         "teacher.t: base: there is no shape 'big'"),
        (MODEL, MODEL.replace("weights", "random:tiny") + 'texts = ["a"]\nvocabulary = 400\n'
         '[launch]\nrollouts = "vllm"\n', "vllm serves no model of the shape 'tiny'"),
        (DAPO, DAPO + "clip_low = 0.3\n", "clip_low is above clip_high"),
        (DAPO, DAPO + "overlong_buffer = 64\n", "overlong_buffer must be shorter"),
        (DAPO, DAPO * 3, "dapo: .*at most 2"),
        (SUITE, SUITE + SUITE, "suite 'loss' is there 2 times"),
        (SUITE, "", "suite: is not given"),
        ('share = 1, rows = "tasks"', 'share = 1, rows = "tasks", verifiers = ["guess"]',
         "no verifier 'guess'; known: .*world"),
        ('kind = "loss"', 'kind = "loss"\nverifiers = ["math"]', "this suite's kind is loss"),
        (MODEL, '[model]\nbase = "random:tiny"\n', "need vocabulary and texts"),
        (MODEL, MODEL + "vocabulary = 300\n", "are for random weights"),
        (SFT, "[launch]\nprocesses = 3\n", r"mopd\.prompts = 4 cannot be split"),
        (SFT, SFT + "[launch]\nprocesses = 2\n", r"sft\.passes = 1 cannot be split"),
        (SFT, SFT + "passes = 2\nlora = { rank = 4 }\n[launch]\nprocesses = 2\n"
         'strategy = "fsdp2"\n', "adapters are not sharded"),
        ('name = "x"', 'name = "X Y"', "name: "),
    ],
)  # fmt: skip
def test_what_cannot_work_is_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in WHOLE
    with pytest.raises(ConfigError, match=said):
        read(tmp_path, WHOLE.replace(old, new))


def test_all_wrong_keys_are_said_at_once(tmp_path: Path) -> None:
    text = WHOLE.replace("steps = 8", "stepz = 8").replace("lr = 1e-3", "lr = -1")
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, text)
    assert "mopd.stepz" in caught.value.message
    assert "sft.optim.lr" in caught.value.message


@pytest.mark.parametrize("text", ["[model", "name = 'x'\0", "\xff\xfe"])
def test_no_toml(tmp_path: Path, text: str) -> None:
    path = tmp_path / "r.toml"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ConfigError, match=r"r\.toml is not TOML"):
        read_recipe(path)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_recipe(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_recipe(tmp_path)


@pytest.mark.parametrize("path", sorted(Path("recipes").glob("*.toml")), ids=lambda path: path.name)
def test_our_own_recipes_are_sound(path: Path) -> None:
    assert read_recipe(path).stages()
