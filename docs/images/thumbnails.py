"""Make the thumbnails of landing pages from figures of the site, the results and the notebooks.

Usage: python docs/images/thumbnails.py
"""

import base64
import io
import json
from pathlib import Path

from PIL import Image

HERE = Path(__file__).parent
HOME = HERE.parents[1]
SIZE = 320, 200
# thumbnail: file, or notebook and the number of its image, and the part to show as fractions left, top, right, bottom
SOURCES = {
    "first_run": ("notebooks/1_first_run.ipynb:0", (0, 0, 1, 1)),
    "searches_compared": ("notebooks/2_searches_compared.ipynb:0", (0, 0, 1, 1)),
    "custom_problem": ("notebooks/3_your_own_problem.ipynb:0", (0, 0, 1, 1)),
    "inside_surprise": ("notebooks/4_inside_surprise.ipynb:0", (0, 0, 1, 1)),
    "paper_figures": ("notebooks/5_figures_of_the_paper.ipynb:0", (0, 0, 1, 1)),
    "quality_diversity": ("notebooks/6_quality_and_diversity.ipynb:0", (0, 0, 1, 1)),
    "mountain_car": ("notebooks/7_mountain_car.ipynb:0", (0, 0, 1, 1)),
    "pictures": ("docs/images/pictures.png", (0, 0, 0.5, 1)),
    "soft_robots": ("docs/images/soft_robots_walk.png", (0.6, 0, 1, 1)),
    "median_runs": ("docs/images/median_runs.png", (0.3, 0, 0.92, 1)),
    "forest": ("docs/images/forest.png", (0, 0, 0.85, 0.55)),
    "network": ("docs/images/network.png", (0, 0, 1, 1)),
    "species": ("docs/images/species.png", (0, 0, 1, 1)),
    "surprise": ("docs/images/surprise_steps.png", (0.33, 0, 1, 1)),
    "novelty": ("docs/images/surprise_map.png", (0, 0, 1, 1)),
    "explorer": ("docs/images/explorer.png", (0, 0, 1, 1)),
    "mazes": ("docs/images/mazes.png", (0, 0, 1, 1)),
    "performance": ("docs/images/scale.png", (0, 0, 1, 1)),
    "robustness": ("results/figures/robustness.png", (0, 0, 0.49, 0.45)),
    "qd_variants": ("results/figures/qd_variants_deceptive.png", (0, 0, 1, 1)),
    "generated_mazes": ("results/figures/generated_mazes.png", (0, 0, 1, 1)),
    "heatmaps": ("results/figures/heatmaps.png", (0.475, 0, 0.9, 0.46)),
    "ladder": ("docs/images/studies_ladder.png", (0, 0, 1, 1)),
    "levels": ("docs/images/levels.png", (0, 0, 1, 1)),
}


def load(source: str) -> Image.Image:
    """Read an image file, or an image of a notebook given as FILE.ipynb:NUMBER."""
    path, _, number = source.partition(":")
    data = (HOME / path).read_bytes()
    if number:
        outputs = (output for cell in json.loads(data)["cells"] for output in cell.get("outputs", []))
        images = [output["data"]["image/png"] for output in outputs if "image/png" in output.get("data", {})]
        data = base64.b64decode(images[int(number)])
    return Image.open(io.BytesIO(data)).convert("RGB")


def thumbnail(image: Image.Image, part: tuple[float, float, float, float]) -> Image.Image:
    """Cut a part out of an image and centre it on a white card."""
    width, height = image.size
    left, top, right, bottom = part
    image = image.crop((int(left * width), int(top * height), int(right * width), int(bottom * height)))
    image.thumbnail((SIZE[0] - 12, SIZE[1] - 12), Image.Resampling.LANCZOS)
    card = Image.new("RGB", SIZE, "white")
    card.paste(image, ((SIZE[0] - image.width) // 2, (SIZE[1] - image.height) // 2))
    return card


if __name__ == "__main__":
    for name, (source, part) in SOURCES.items():
        thumbnail(load(source), part).quantize(64).save(HERE / "thumbs" / f"{name}.png", optimize=True)
