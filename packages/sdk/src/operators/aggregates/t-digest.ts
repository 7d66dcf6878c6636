/**
 * The merging t-digest (Dunning and Ertl, *Computing Extremely Accurate Quantiles Using t-Digests*, 2019) as a value.
 *
 * Numbers come into `loose`; when there are too many they are merged into `centroids`, few and heavy in the middle,
 * light at the ends. As long as there are no centroids, nothing is lost and order does not show.
 */

type Centroid = readonly [mean: number, weight: number];

export interface Digest {
  /** Sorted by mean. */
  readonly centroids: readonly Centroid[];
  readonly loose: readonly number[];
  /** Of all that is in the centroids; both 0 as long as nothing is. */
  readonly least: number;
  readonly most: number;
}

export const EMPTY_DIGEST: Digest = { centroids: [], loose: [], least: 0, most: 0 };

const MOST_LOOSE = 512;
/** Loose numbers beside centroids are copied with each record: few. */
const MOST_BESIDE = 64;
/** δ: at most about this many centroids. */
const COMPRESSION = 200;

export function addToDigest(digest: Digest, value: number): Digest {
  return settled({ ...digest, loose: [...digest.loose, value] });
}

export function mergeDigests(left: Digest, right: Digest): Digest {
  const merged = { ...left, loose: [...left.loose, ...right.loose] };
  if (right.centroids.length === 0) return settled(merged);
  return packed(merged, right);
}

/** NaN for an empty digest. */
export function quantileOf(digest: Digest, q: number): number {
  if (digest.centroids.length === 0) return exactQuantile(sorted(digest.loose), q);
  const { centroids, least, most } = digest.loose.length === 0 ? digest : packed(digest, EMPTY_DIGEST);
  const total = centroids.reduce((sum, [, weight]) => sum + weight, 0);
  const rank = q * total;
  let before = 0;
  let [lastRank, lastMean] = [0, least];
  for (const [mean, weight] of centroids) {
    const middle = before + weight / 2;
    if (rank < middle) return between(lastMean, mean, (rank - lastRank) / (middle - lastRank));
    before += weight;
    [lastRank, lastMean] = [middle, mean];
  }
  return between(lastMean, most, (rank - lastRank) / (total - lastRank));
}

function settled(digest: Digest): Digest {
  const most = digest.centroids.length === 0 ? MOST_LOOSE : MOST_BESIDE;
  return digest.loose.length <= most ? digest : packed(digest, EMPTY_DIGEST);
}

function packed(digest: Digest, other: Digest): Digest {
  const loose = sorted(digest.loose);
  const all = [...digest.centroids, ...other.centroids, ...loose.map((value): Centroid => [value, 1])].sort(
    (a, b) => a[0] - b[0] || a[1] - b[1],
  );
  const ends = [digest, other].filter(({ centroids }) => centroids.length > 0);
  return {
    centroids: compressed(all),
    loose: [],
    least: Math.min(...ends.map(({ least }) => least), loose[0] ?? Number.POSITIVE_INFINITY),
    most: Math.max(...ends.map(({ most }) => most), loose.at(-1) ?? Number.NEGATIVE_INFINITY),
  };
}

/** One pass from the least up: neighbours become one as long as they span no more than one step of the scale. */
function compressed(all: readonly Centroid[]): readonly Centroid[] {
  const total = all.reduce((sum, [, weight]) => sum + weight, 0);
  const found: Centroid[] = [];
  let before = 0;
  let [mean, weight] = all[0] ?? [0, 0];
  let limit = total * unscaled(scaled(0) + 1);
  for (const [nextMean, nextWeight] of all.slice(1)) {
    if (before + weight + nextWeight <= limit) {
      weight += nextWeight;
      mean += ((nextMean - mean) * nextWeight) / weight;
      continue;
    }
    found.push([mean, weight]);
    before += weight;
    limit = total * unscaled(scaled(before / total) + 1);
    [mean, weight] = [nextMean, nextWeight];
  }
  return weight === 0 ? found : [...found, [mean, weight]];
}

/** The scale k₁: steep at both ends. */
function scaled(q: number): number {
  return (COMPRESSION / (2 * Math.PI)) * Math.asin(2 * Math.min(1, q) - 1);
}

function unscaled(k: number): number {
  const angle = (k * 2 * Math.PI) / COMPRESSION;
  return angle >= Math.PI / 2 ? 1 : (Math.sin(angle) + 1) / 2;
}

function exactQuantile(values: readonly number[], q: number): number {
  const place = q * (values.length - 1);
  const below = Math.floor(place);
  const low = values[below] ?? Number.NaN;
  return between(low, values[below + 1] ?? low, place - below);
}

function between(low: number, high: number, share: number): number {
  if (!(share > 0) || low === high) return low;
  // The sum of two shares cannot overflow where the difference of the two could.
  return share >= 1 ? high : low * (1 - share) + high * share;
}

function sorted(values: readonly number[]): readonly number[] {
  return [...values].sort((a, b) => a - b);
}
