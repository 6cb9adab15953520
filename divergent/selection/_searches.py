"""Searches by name; the strategy class of a search is imported on first use.

Tables and records of runs need only the names of searches. A run needs the class of one search.
"""

from collections import UserDict
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from divergent.selection._strategy import Strategy


class SearchRegistry(UserDict[str, Any]):
    """Strategy classes by the command-line names of their searches.

    An entry may also be a pair of strings: a module of `divergent.selection` and the name of a class in this module.
    """

    def __getitem__(self, name: str) -> "type[Strategy]":
        entry = super().__getitem__(name)
        if isinstance(entry, tuple):
            module, class_name = entry
            entry = self.data[name] = getattr(import_module(f"divergent.selection.{module}"), class_name)
        return entry


SEARCHES = SearchRegistry(
    {
        "objective": ("_objective", "Objective"),
        "novelty": ("_novelty", "Novelty"),
        "surprise": ("_surprise", "Surprise"),
        "ssnp": ("_baselines", "SurpriseNoPrediction"),
        "ssr": ("_baselines", "SurpriseRandom"),
        "random": ("_baselines", "Random"),
        "nss": ("_novelty_surprise", "NoveltyAndSurprise"),
        "nslc": ("_quality_diversity", "NoveltyWithCompetition"),
        "sslc": ("_quality_diversity", "SurpriseWithCompetition"),
        "nsslc": ("_quality_diversity", "CoupledWithCompetition"),
        "nssslc": ("_quality_diversity", "NoveltySurpriseAndCompetition"),
        "dns": ("_local_competition", "DominatedNovelty"),
    }
)
