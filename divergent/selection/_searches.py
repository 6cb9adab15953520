"""Searches by name; the strategy class of a search is imported on first use.

Tables and records of runs need only the names of searches. A run needs the class of one search.
"""

from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from divergent.selection._strategy import Strategy


class SearchRegistry(MutableMapping[str, "type[Strategy]"]):
    """Strategy classes by the command-line names of their searches, in order of registration.

    Parameters
    ----------
    homes : mapping of str to tuple of str
        Module of `divergent.selection` and class name of each search.
    """

    def __init__(self, homes: "Mapping[str, tuple[str, str]]"):
        self._entries: dict[str, tuple[str, str] | type[Strategy]] = dict(homes)

    def __getitem__(self, name: str) -> "type[Strategy]":
        entry = self._entries[name]
        if isinstance(entry, tuple):
            module, class_name = entry
            entry = self._entries[name] = getattr(import_module(f"divergent.selection.{module}"), class_name)
        return entry

    def __setitem__(self, name: str, strategy: "type[Strategy]") -> None:
        self._entries[name] = strategy

    def __delitem__(self, name: str) -> None:
        del self._entries[name]

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return f"SearchRegistry({', '.join(self)})"


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
