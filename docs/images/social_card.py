"""Draw docs/_static/social_card.png, the image of links to the site.

Usage: python docs/images/social_card.py
"""

from pathlib import Path

from matplotlib import pyplot

HERE = Path(__file__).parent

if __name__ == "__main__":
    figure = pyplot.figure(figsize=(12, 6.3), facecolor="white")
    figure.text(0.06, 0.84, "divergent", fontsize=46, fontweight="bold", color="#0b3c5d")
    figure.text(0.06, 0.75, "Divergent evolutionary search for DEAP", fontsize=24, color="0.25")
    axes = figure.add_axes((0.04, 0.03, 0.92, 0.66))
    axes.imshow(pyplot.imread(HERE / "median_runs.png"))
    axes.axis("off")
    figure.savefig(HERE.parent / "_static" / "social_card.png", dpi=100)
