"""Reference implementation of `divergent.neat.Species`: plain Python, one rule per method, no compiled code."""

from divergent.neat import distance


class PlainSpecies:
    """Speciation, parent selection and replacement with lists of genomes, rule by rule as `Species` documents them.

    Rows are positions in the population; labels are positions in the list of species.
    """

    def __init__(self, threshold, replacement_ties="index", next_representative="index", **coefficients):
        self.threshold, self.coefficients = threshold, coefficients
        self.oldest, self.by_rank = replacement_ties == "oldest", next_representative == "rank"
        self.insertions = []  # order of insertion, by row
        self.rankings = []  # rows, those that joined since the last ranking at the end
        self.members = []  # rows, ascending
        self.models = []
        self.champions = []
        self.ids = []
        self.founded = 0

    def place(self, genome):
        for label, model in enumerate(self.models):
            if distance(genome, model, **self.coefficients) < self.threshold:
                return label
        return len(self.models)

    def join(self, row, genome, label):
        if label == len(self.models):
            self.members.append([])
            self.rankings.append([])
            self.models.append(genome)
            self.champions.append(row)
            self.ids.append(self.founded)
            self.founded += 1
        self.members[label] = sorted([*self.members[label], row])
        self.rankings[label].append(row)

    def leave(self, row, genomes):
        label = self.label(row)
        self.members[label].remove(row)
        self.rankings[label].remove(row)
        if not self.members[label]:
            del self.members[label], self.models[label], self.champions[label], self.ids[label], self.rankings[label]
        elif self.champions[label] == row:
            self.crown(label, (self.rankings if self.by_rank else self.members)[label][0], genomes)

    def crown(self, label, row, genomes):
        self.champions[label], self.models[label] = row, genomes[row]

    def label(self, row):
        return next(label for label, members in enumerate(self.members) if row in members)

    def assign(self, genomes):
        self.members = [[] for _ in self.models]
        self.rankings = [[] for _ in self.models]
        self.insertions = list(range(len(genomes)))
        self.champions = [None] * len(self.models)
        for row, genome in enumerate(genomes):
            self.join(row, genome, self.place(genome))
        living = [label for label, members in enumerate(self.members) if members]
        self.members = [self.members[label] for label in living]
        self.rankings = [self.rankings[label] for label in living]
        self.models = [self.models[label] for label in living]
        self.ids = [self.ids[label] for label in living]
        self.champions = [self.champions[label] for label in living]
        for label, members in enumerate(self.members):
            if self.champions[label] is None:
                self.crown(label, members[0], genomes)

    def respeciate(self, genomes):
        for row, genome in enumerate(genomes):
            label = self.place(genome)
            if label < len(self.models) and row in self.members[label]:
                continue
            model = self.models[label] if label < len(self.models) else None
            self.leave(row, genomes)
            same = [label for label, candidate in enumerate(self.models) if candidate is model]
            self.join(row, genome, same[0] if same else len(self.models))

    def labels(self, size):
        return [self.label(row) for row in range(size)]

    def choose(self, scores, draw):
        lowest = min(0.0, min(scores))
        means = []
        for rows in self.members:
            least = min(scores[row] for row in rows)
            means.append(least + sum(scores[row] - least for row in rows) / len(rows) - lowest)
        left = draw * sum(means)
        for label, mean in enumerate(means):
            left -= mean
            if left < 0:
                return label
        return len(means) - 1

    def rank(self, label, scores):
        """Return the members best first; ties are ordered by row or by the last ranking."""
        rows = self.rankings[label] if self.by_rank else self.members[label]
        self.rankings[label] = sorted(rows, key=lambda row: -scores[row])
        return self.rankings[label]

    def replace(self, genomes, scores):
        lowest = min(0.0, min(scores))
        values = [(score - lowest) / len(self.members[self.label(row)]) for row, score in enumerate(scores)]
        self.insertions.append(max(self.insertions) + 1)
        lowest_rows = [row for row, value in enumerate(values) if value == min(values)]
        removed = min(lowest_rows, key=lambda row: self.insertions[row]) if self.oldest else lowest_rows[0]
        child = len(scores) - 1
        self.leave(removed, genomes)
        youngest = self.insertions.pop()
        if removed != child:
            label = self.label(child)
            self.insertions[removed] = youngest
            self.rankings[label][self.rankings[label].index(child)] = removed
            self.members[label].remove(child)
            self.members[label] = sorted([*self.members[label], removed])
            if self.champions[label] == child:
                self.champions[label] = removed
        return removed
