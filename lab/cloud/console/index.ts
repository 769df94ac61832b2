export { answerLab } from "./endpoints";
export { applySeed, defaultSeed, type Seed, type SeedCall } from "./seed";
