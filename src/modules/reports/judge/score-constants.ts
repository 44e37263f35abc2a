/**
 * The constants of the score. All are judgement calls without clinical evidence; a clinician must sign them off.
 * Changing one, or how values are compared, needs a new `scoreVersion`, stored with each report: old ones keep their score.
 */
export const scoreVersion = 2

export const scoreConstants = {
  inOptimal: 100,
  atLimit: 75,
  /** Where there is no optimal: the middle half of a two-sided interval, or up to this share of a one-sided limit. */
  implicitShare: 0.75,
  /** One-sided without guideline tiers: the limit times (or divided by) this gives this score. */
  oneSided: [
    { times: 1.25, score: 50 },
    { times: 1.5, score: 25 },
    { times: 2, score: 0 },
  ],
  /** Two-sided without guideline tiers: this many half widths beyond the limit give this score. */
  twoSided: [
    { halfWidths: 0.5, score: 50 },
    { halfWidths: 1, score: 25 },
    { halfWidths: 2, score: 0 },
  ],
  /** Score 0 lies at the last guideline boundary times (or divided by) these. */
  lastTierHigh: 1.5,
  lastTierLow: 2,
  meanShare: 0.7,
  worstShare: 0.3,
  lowConfidenceWeight: 0.5,
  calculatedWeight: 0.25,
  /** Markers of less weight cannot be a category's worst. */
  worstMinWeight: 0.5,
  minMarkers: 2,
  minCoverage: 0.5,
} as const
