"""NEAT as DEAP operators: genomes, innovations, variation, species and the networks they become."""
