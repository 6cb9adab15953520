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
    # tutorials
    "first_run": ("notebooks/1_first_run.ipynb:0", (0, 0, 1, 1)),
    "searches_compared": ("notebooks/2_searches_compared.ipynb:0", (0, 0, 1, 1)),
    "custom_problem": ("notebooks/3_your_own_problem.ipynb:0", (0, 0, 1, 1)),
    "inside_surprise": ("notebooks/4_inside_surprise.ipynb:0", (0, 0, 1, 1)),
    "paper_figures": ("notebooks/5_figures_of_the_paper.ipynb:0", (0, 0, 1, 1)),
    "quality_diversity": ("notebooks/6_quality_and_diversity.ipynb:0", (0, 0, 1, 1)),
    "mountain_car": ("notebooks/7_mountain_car.ipynb:0", (0, 0, 1, 1)),
    "evolved_images": ("docs/images/evolved_images.png", (0, 0, 0.5, 1)),
    # how-to guides
    "around_a_wall": ("notebooks/3_your_own_problem.ipynb:0", (0.69, 0, 1, 1)),
    "score_maps": ("notebooks/4_inside_surprise.ipynb:1", (0, 0, 0.66, 0.8)),
    "network": ("docs/images/network.png", (0, 0, 1, 1)),
    "evolved_images_surprise": ("docs/images/evolved_images.png", (0.5, 0, 1, 1)),
    "progress_and_species": ("docs/images/xor.png", (0, 0, 1, 1)),
    "mazes": ("docs/images/mazes.png", (0, 0, 1, 1)),
    "soft_robot_table": ("docs/images/soft_robots_walk.png", (0.28, 0, 0.525, 1)),
    "progress": ("notebooks/1_first_run.ipynb:3", (0, 0, 1, 1)),
    "robustness": ("results/figures/robustness.png", (0, 0, 0.49, 0.47)),
    "sensitivity": ("results/figures/sensitivity_surprise.png", (0, 0, 0.5, 0.9)),
    "efficiency": ("results/figures/efficiency.png", (0, 0, 0.5, 0.455)),
    "mountain_car_best": ("notebooks/7_mountain_car.ipynb:1", (0, 0, 1, 1)),
    "explorer": ("docs/images/explorer.png", (0, 0, 1, 1)),
    "example_explorers": ("docs/images/explorer.png", (0, 0.05, 0.66, 0.7)),
    # explanation
    "novelty": ("docs/images/surprise_map.png", (0.5, 0, 1, 1)),
    "surprise": ("docs/images/surprise_steps.png", (0.36, 0, 1, 1)),
    "robot_network": ("docs/images/run.png", (0.62, 0.09, 0.97, 0.9)),
    "selection_intensity": ("docs/images/studies_dynamics.png", (0.335, 0.49, 0.665, 1)),
    "heatmaps": ("results/figures/heatmaps.png", (0.46, 0, 0.92, 0.46)),
    "problems": ("docs/images/gallery.png", (0.5, 0, 1, 0.3)),
    "ladder": ("docs/images/studies_ladder.png", (0, 0, 1, 1)),
    "reference_set": ("docs/images/studies_reference_set.png", (0, 0, 1, 1)),
    "many_clusters": ("notebooks/4_inside_surprise.ipynb:4", (0, 0, 1, 1)),
    "elites": ("notebooks/6_quality_and_diversity.ipynb:0", (0.227, 0, 0.665, 0.48)),
    "levels": ("docs/images/levels.png", (0, 0, 1, 1)),
    "evaluation_rates": ("docs/images/scale.png", (0.5, 0, 1, 1)),
    # benchmarks
    "median_runs": ("docs/images/median_runs.png", (0.31, 0, 0.92, 1)),
    "forest": ("docs/images/forest.png", (0, 0, 1, 0.55)),
    "generated_mazes": ("results/figures/generated_mazes.png", (0, 0, 1, 1)),
    "sensors": ("notebooks/1_first_run.ipynb:1", (0, 0, 1, 1)),
    "qd_variants": ("results/figures/qd_variants_deceptive.png", (0, 0, 1, 1)),
    "species": ("docs/images/species_of_2002.png", (0, 0, 1, 1)),
    "soft_robots": ("docs/images/soft_robots_walk.png", (0.53, 0, 1, 1)),
    "qd_score": ("notebooks/6_quality_and_diversity.ipynb:1", (0, 0, 1, 1)),
    "performance": ("docs/images/scale.png", (0, 0, 0.5, 1)),
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
        card = thumbnail(load(source), part).quantize(64, Image.Quantize.MAXCOVERAGE, kmeans=3)  # keeps rare colours
        card.save(HERE / "thumbs" / f"{name}.png", optimize=True)
