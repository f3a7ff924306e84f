"""What a recipe amounts to is worked out without torch, and data that cannot do is refused."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from botpsy.cli.main import app
from botpsy.errors import ConfigError
from botpsy.train.base import Size, size_of
from botpsy.train.plan import launch_command, make_plan, memory
from botpsy.train.recipe import read_recipe
from botpsy.train.shapes import SHAPES, VOCABULARY
from tests.train.toy import recipe_text, toy_recipe

PRACTICE = """
steps = 8
prompts = 6
updates = 2
evaluate_every = 4
max_prompt_tokens = 200
max_reply_tokens = 56
batch_tokens = 512
select = "loss"
optim = { lr = 1e-5 }
"""


def more(data: Path) -> str:
    mix = f'mix = [{{ name = "calls", share = 1, rows = "{data}" }}]\n'
    routed = mix.replace(" }", ', route = "tools" }')
    return f"""
[[teacher]]
name = "big"
routes = ["tools"]
base = "random:tiny-teacher"
[teacher.dapo]
{PRACTICE}{mix}
[mopd]
{PRACTICE}{routed}
[[dapo]]
group = 4
{PRACTICE}{mix}
"""


def test_the_figures(tmp_path: Path, toy_data: Path) -> None:
    recipe = toy_recipe(tmp_path, toy_data, limit_steps=0, epochs=2, more=more(toy_data))
    sft, teacher, mopd, dapo = make_plan(recipe, tmp_path / "run", "toy.toml").stages
    assert (sft.name, sft.start, sft.rows, sft.passes) == ("sft", "random:tiny", 48, 2)
    assert 0 < sft.supervised < sft.tokens
    assert sft.longest <= 256
    assert sft.steps == 24
    assert sft.checkpoints == 13
    assert (teacher.name, teacher.start) == ("teacher-big-dapo", "random:tiny-teacher")
    assert (mopd.start, mopd.prompts, mopd.samples, mopd.generations) == ("best of sft", 6, 6, 4)
    assert mopd.notes == ("mix.calls: 24 tasks, 24 are tried", "teachers: big (tools)")
    assert (dapo.name, dapo.start, dapo.samples, dapo.checkpoints) == (
        "dapo1",
        "best of mopd",
        24,
        3,
    )
    assert dapo.notes == (
        "mix.calls: 24 tasks, at most 96 are tried",
        "at most 4 tries for each generation",
    )
    assert mopd.bytes > dapo.bytes > 0
    assert teacher.bytes > dapo.bytes


def test_the_steps_are_those_that_training_takes(tmp_path: Path, toy_data: Path) -> None:
    from botpsy.train.rows import sft_examples, sft_passes
    from botpsy.train.stage import Stage, places

    recipe = toy_recipe(tmp_path, toy_data, limit_steps=0)
    assert recipe.sft
    plan = make_plan(recipe, tmp_path, "toy.toml")
    stage = Stage("sft", recipe, recipe.sft, tmp_path, tmp_path, {}, places(recipe, tmp_path))
    assert plan.tokens
    order = sft_passes(sft_examples(stage, recipe.sft, plan.tokens), recipe.sft, recipe.seed)
    assert plan.stages[0].steps * recipe.sft.passes == len(order)


def test_data_that_is_not_built(tmp_path: Path, toy_data: Path) -> None:
    sources = "".join(
        f'[[source]]\nname = "{name}"\nrows = {rows}\n'
        for name, rows in (("worlds", 30), ("apis", 12))
    )
    (tmp_path / "rows.toml").write_text(f'name = "rows"\n{sources}')
    recipe = toy_recipe(tmp_path, toy_data, rows=["rows.toml"])
    plan = make_plan(recipe, tmp_path / "run", "toy.toml").stages[0]
    assert (plan.rows, plan.steps) == (0, 0)
    assert plan.notes == ("rows.toml is built first, up to 42 rows",)
    with pytest.raises(ConfigError, match=r"There is no data in .*nowhere"):
        make_plan(toy_recipe(tmp_path, toy_data, rows=["nowhere"]), tmp_path, "toy.toml")


def test_two_data_recipes_of_one_name(tmp_path: Path, toy_data: Path) -> None:
    recipe = toy_recipe(tmp_path, toy_data, rows=["a/rows.toml", "b/rows.toml"])
    with pytest.raises(ConfigError, match=r"Two data recipes are named rows\.toml"):
        make_plan(recipe, tmp_path, "toy.toml")


def test_what_chooses_is_not_learnt_from(tmp_path: Path, toy_data: Path) -> None:
    rows = [str(toy_data / "conversations.validation.jsonl")]
    with pytest.raises(ConfigError, match=r"suite loss: .* is trained on in sft"):
        make_plan(toy_recipe(tmp_path, toy_data, rows=rows), tmp_path, "toy.toml")


def test_a_shape_has_as_many_weights_as_it_says(tmp_path: Path, toy_data: Path) -> None:
    recipe = toy_recipe(tmp_path, toy_data)
    assert size_of("random:tiny", recipe).parameters == SHAPES["tiny"].parameters(384)
    assert SHAPES["0.8b"].parameters(248_320) == pytest.approx(0.75e9, rel=0.05)
    with pytest.raises(ConfigError, match=r"no shape 'huge'.*tiny"):
        size_of("random:huge", recipe)


def test_memory_grows_with_what_is_held(tmp_path: Path, toy_data: Path) -> None:
    recipe = toy_recipe(tmp_path, toy_data)
    assert recipe.sft
    size = Size(135_000_000, 30, 576, 1536, 49_152)
    plain = memory(size, recipe, recipe.sft, 0.25)
    assert memory(size, recipe, recipe.sft, 0.25, held=10**9) > plain + 3e9
    longer = recipe.sft.model_copy(update={"batch_tokens": 8192})
    assert memory(size, recipe, longer, 0.25) > plain
    thrifty = longer.model_copy(update={"checkpointing": True})
    assert memory(size, recipe, thrifty, 0.25) < memory(size, recipe, longer, 0.25)


def test_the_command(tmp_path: Path, toy_data: Path) -> None:
    one = toy_recipe(tmp_path, toy_data)
    assert launch_command(one, "r.toml") == "botpsy train r.toml"
    many = toy_recipe(tmp_path, toy_data, model="[launch]\nprocesses = 2")
    assert launch_command(many, "r.toml") == (
        "python -m torch.distributed.run --standalone --nproc_per_node 2 -m botpsy train r.toml"
    )


def test_the_command_line_says_it(tmp_path: Path, toy_data: Path) -> None:
    path = tmp_path / "toy.toml"
    path.write_text(recipe_text(toy_data), "utf-8")
    said = CliRunner().invoke(app, ["train", str(path), "--plan"])
    assert said.exit_code == 0
    assert "4 steps of 2 passes" in said.stdout
    assert "»Lamp in the kitchen." in said.stdout
    assert "»Light" not in said.stdout
    one = CliRunner().invoke(app, ["train", str(path), "--plan", "--stage", "sft"])
    assert "toy.toml --stage sft" in one.stdout.replace("\n", "")
    wrong = CliRunner().invoke(app, ["train", str(path), "--plan", "--stage", "stf"])
    assert "There is no stage 'stf'" in str(wrong.exception)
    as_json = CliRunner().invoke(app, ["train", str(path), "--plan", "--json"])
    assert json.loads(as_json.stdout)["stages"][0]["steps"] == 4
    assert not (tmp_path / "runs").exists()


def test_no_torch_is_needed(tmp_path: Path, toy_data: Path) -> None:
    path = tmp_path / "toy.toml"
    path.write_text(recipe_text(toy_data), "utf-8")
    code = (
        "import sys\n"
        "for name in ('torch', 'transformers', 'trl', 'accelerate', 'peft', 'datasets'):\n"
        "    sys.modules[name] = None\n"
        "from botpsy.cli.main import app\n"
        f"app(['train', {str(path)!r}, '--plan'])\n"
    )
    command = [sys.executable, "-c", code]
    made = subprocess.run(command, check=False, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    assert "4 steps" in made.stdout


def test_without_the_extra_it_says_what_to_install(
    tmp_path: Path, toy_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    path = tmp_path / "toy.toml"
    path.write_text(recipe_text(toy_data), "utf-8")
    said = CliRunner().invoke(app, ["train", str(path), "--out", str(tmp_path / "run")])
    assert "Training needs torch" in str(said.exception)
    assert "botpsy[train]" in str(said.exception)
    assert not (tmp_path / "run").exists()
    assert read_recipe(path)


@pytest.mark.parametrize("weights", ["absent", "there"])
def test_the_recipe_of_the_real_model_is_planned_without_its_weights(
    tmp_path: Path, weights: str
) -> None:
    shutil.copytree("recipes", tmp_path / "recipes")
    if weights == "there":  # then they are read, and a folder with nothing in it is no model
        (tmp_path / "models" / "Qwen3.5-0.8B").mkdir(parents=True)
    path = tmp_path / "recipes" / "botpsy-0.8b.toml"
    said = CliRunner().invoke(app, ["train", str(path), "--plan", "--json"])
    if weights == "there":
        assert "is no tokenizer" in str(said.exception)
        return
    made = json.loads(said.stdout)
    assert len(made["missing"]) == 2
    assert all("hf download Qwen/Qwen3.5-" in line for line in made["missing"])
    assert "--nproc_per_node 8" in made["command"]
    assert [each["name"] for each in made["stages"]] == [
        "sft", "teacher-tools-sft", "teacher-tools-dapo", "teacher-reasoning-sft",
        "teacher-reasoning-dapo", "teacher-writing-sft", "teacher-writing-dapo", "mopd",
        "dapo1", "dapo2",
    ]  # fmt: skip
    assert all(10e9 < each["bytes"] < 80e9 for each in made["stages"])


def test_the_sizes_of_releases_are_what_their_names_say() -> None:
    assert 0.7e9 < SHAPES["0.8b"].parameters(VOCABULARY) < 0.8e9
    assert 4.0e9 < SHAPES["4b"].parameters(VOCABULARY) < 4.3e9
