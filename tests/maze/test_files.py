import os
import subprocess
import sys

import pytest

from divergent.maze import maze_names, read_maze

BOX = "0 0 100 0\n100 0 100 100\n100 100 0 100\n0 100 0 0\n"
GOOD = "4\n20 20\n0\n80 80\n" + BOX


def written(tmp_path, text):
    path = tmp_path / "bad.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_maze_names_has_the_four_mazes():
    assert {"extremely_hard", "hard", "medium", "very_hard"} <= set(maze_names())
    assert {name: len(read_maze(name).walls) for name in maze_names()} == {
        "extremely_hard": 17,
        "hard": 13,
        "medium": 11,
        "very_hard": 17,
    }


def test_read_maze_returns_the_content_of_the_file():
    maze = read_maze("medium")
    assert maze[:4] == ("medium", (30.0, 22.0), 0.0, (270.0, 100.0))
    assert maze.walls[0].tolist() == [293, 7, 289, 130]
    assert maze.walls[-1].tolist() == [271, 129, 237, 88]
    assert maze.bounds == (6.0, 5.0, 293.0, 134.0)


def test_read_maze_skips_comments_and_blank_lines(tmp_path):
    text = GOOD.replace("20 20\n", "\n# where it begins\n20 20   # x y\n\n")
    assert read_maze(written(tmp_path, text)) == read_maze(written(tmp_path, GOOD))


def test_read_maze_twice_is_equal_and_read_only():
    assert read_maze("hard") == read_maze("hard") != read_maze("medium")
    assert len({read_maze("hard"), read_maze("hard"), read_maze("medium")}) == 2
    with pytest.raises(ValueError, match="read-only"):
        read_maze("hard").walls[0, 0] = 1.0


def test_read_maze_accepts_a_path_as_text(tmp_path):
    assert read_maze(str(written(tmp_path, GOOD))).name == "bad"


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        (
            "",
            1,
            "a maze file must be complete, got the end of the file instead of the number of walls; a maze file "
            "must begin with 1 number",
        ),
        (
            "# only a remark\n",
            1,
            "a maze file must be complete, got the end of the file instead of the number of walls",
        ),
        (GOOD.replace("80 80", "80 eighty"), 4, "entries of a maze file must be numbers, got 'eighty'"),
        (
            GOOD.replace("100 0 100 100", "100 0 100"),
            6,
            "every line of a maze file must have a fixed number of entries (a wall must be 4 numbers, x1 y1 x2 y2), "
            "got a line with 3 entries",
        ),
        (
            GOOD.replace("100 0 100 100", "100 0 100 100 7"),
            6,
            "every line of a maze file must have a fixed number of entries (a wall must be 4 numbers, x1 y1 x2 y2), "
            "got a line with 5 entries",
        ),
        (
            GOOD.replace("4\n", "6\n", 1),
            8,
            "a maze file must be complete, got the end of the file instead of the wall 5; a wall must be 4 numbers",
        ),
        (GOOD.replace("4\n", "3\n", 1), 8, "the maze file must end after its 3 walls, got another line"),
        (GOOD.replace("4\n", "4.5\n", 1), 1, "the number of walls must be an integer from 1 to 10000, got 4.5"),
        (GOOD.replace("4\n", "0\n", 1), 1, "the number of walls must be an integer from 1 to 10000, got 0"),
        (GOOD.replace("4\n", "-4\n", 1), 1, "the number of walls must be an integer from 1 to 10000, got -4"),
        (GOOD.replace("4\n", "nan\n", 1), 1, "the number of walls must be an integer from 1 to 10000, got nan"),
        (GOOD.replace("4\n", "inf\n", 1), 1, "the number of walls must be an integer from 1 to 10000, got inf"),
        (GOOD.replace("20 20", "20 nan"), 2, "coordinates and headings must be finite, got nan"),
        (GOOD.replace("\n0\n", "\ninf\n", 1), 3, "coordinates and headings must be finite, got inf"),
        (GOOD.replace("0 100 0 0", "0 100 0 -inf"), 8, "coordinates and headings must be finite, got -inf"),
        (
            GOOD.replace("0 100 0 0", "0 100 0 1e9"),
            8,
            "coordinates and headings must have magnitudes of at most 1e+06, got 1000000000",
        ),
        (GOOD.replace("0 100 0 0", "0 100 0 1e400"), 8, "coordinates and headings must be finite, got inf"),
        (GOOD.replace("0 100 0 0", "0 100 0 1" + "0" * 400), 8, "coordinates and headings must be finite, got inf"),
        (GOOD.replace("0 100 0 0", "7 50 7 50"), 8, "a wall must be longer than 0, got 7 50 7 50"),
        (
            GOOD.replace("20 20", "20"),
            2,
            "every line of a maze file must have a fixed number of entries (the start must be 2 numbers, x y), "
            "got a line with 1 entries",
        ),
        (GOOD.replace("20 20", "5 20"), 2, "the robot must be at least 8 units from every wall, got 5 from "),
    ],
)
def test_read_maze_error_names_file_line_rule_and_value(tmp_path, text, line, sentence):
    path = written(tmp_path, text)
    with pytest.raises(ValueError, match=r"^.+$") as error:
        read_maze(path)
    assert str(error.value).startswith(f"{path}, line {line}: {sentence}")
    assert "\n" not in str(error.value)


def test_read_maze_error_names_the_line_of_the_nearest_wall(tmp_path):
    path = written(tmp_path, GOOD.replace("20 20", "5 20"))
    with pytest.raises(ValueError, match=r"line 2: .* got 5 from .*bad\.txt, line 8$"):
        read_maze(path)


def test_read_maze_of_a_binary_file_raises(tmp_path):
    path = tmp_path / "image.txt"
    path.write_bytes(bytes(range(128, 256)))
    with pytest.raises(ValueError, match=r"image\.txt: a maze file must be UTF-8 text"):
        read_maze(path)


def test_read_maze_of_a_missing_file_or_directory_raises(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"^maze file must exist, got '.*nowhere\.txt'; choose from "):
        read_maze(tmp_path / "nowhere.txt")
    with pytest.raises(FileNotFoundError, match=r"^maze file must exist, got 'mazes/nowhere'; choose from "):
        read_maze("mazes/nowhere")
    with pytest.raises(IsADirectoryError, match=r"a maze must be a text file, got the directory '.*'"):
        read_maze(tmp_path)


def test_read_maze_of_an_unknown_name_suggests_names():
    with pytest.raises(ValueError, match="unknown maze 'hrad'") as error:
        read_maze("hrad")
    assert str(error.value) == (
        "unknown maze 'hrad'; did you mean 'hard'? choose from extremely_hard, hard, medium, very_hard, "
        "generated:SEED, or give the path of a file"
    )


@pytest.mark.skipif(sys.platform != "linux", reason="other systems reject such file names")
def test_read_maze_of_an_unprintable_name_raises(tmp_path):
    (tmp_path / "two\nlines.txt").write_text(GOOD)
    with open(os.fsencode(tmp_path) + b"/\xff.txt", "w") as file:
        file.write(GOOD)
    for name in ("two\nlines.txt", "\udcff.txt", "nothing\0.txt"):
        for path in (tmp_path / name, str(tmp_path / name)):
            with pytest.raises(ValueError, match=r"path of a maze must be printable text in UTF-8, got '[ -~]+'"):
                read_maze(path)


def test_read_maze_accepts_any_printable_name(tmp_path):
    for name in ("$x^$", "a b", "öde", "迷路", "%s", "-", "seed-0001"):
        (tmp_path / f"{name}.txt").write_text(GOOD)
        assert read_maze(tmp_path / f"{name}.txt").name == name


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_read_maze_of_a_pipe_raises(tmp_path):
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(ValueError, match=r"a maze must be a text file, got the pipe or device '.*pipe\.txt'"):
        read_maze(tmp_path / "pipe.txt")
    with pytest.raises(ValueError, match="got the pipe or device '/dev/zero'"):
        read_maze("/dev/zero")


def test_read_maze_of_a_large_file_raises(tmp_path):
    with open(tmp_path / "large.txt", "wb") as file:
        file.truncate(2**40)
    with pytest.raises(ValueError, match=r"a maze file must have at most 33,554,432 bytes, got 1,099,511,627,776"):
        read_maze(tmp_path / "large.txt")


@pytest.mark.parametrize("name", ["generated:", "generated:-1", "generated:one", "generated:1.5"])
def test_read_maze_generated_with_invalid_seed_raises(name):
    with pytest.raises(
        ValueError, match=f"SEED, where SEED is a non-negative integer of at most 100 digits, got '{name}'"
    ):
        read_maze(name)


def test_read_maze_generated_seed_has_at_most_100_digits():
    assert read_maze("generated:" + "9" * 100).walls.shape[1] == 4
    with pytest.raises(ValueError, match="of at most 100 digits, got 'generated:9999"):
        read_maze("generated:" + "9" * 5000)


def test_read_maze_with_too_many_walls_raises_at_the_first_line(tmp_path):
    path = written(tmp_path, "1000000\n20 20\n0\n80 80\n" + "0 0 100 0\n" * 1_000_000)
    with pytest.raises(ValueError, match=r"line 1: the number of walls must be .* from 1 to 10000, got 1000000"):
        read_maze(path)


def test_read_maze_does_not_search_a_path(tmp_path):
    closed = written(tmp_path, GOOD.replace("4\n", "5\n", 1) + "50 0 50 100\n")
    code = f"import sys, divergent.maze; divergent.maze.read_maze({str(closed)!r}); print('networkx' in sys.modules)"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_read_maze_reads_ten_thousand_walls(tmp_path):
    path = written(tmp_path, "10000\n20 20\n0\n80 80\n" + BOX * 2500)
    assert len(read_maze(path).walls) == 10_000
