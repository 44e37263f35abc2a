/** The meaning of a colour: `--k-good` and so on in the theme. */
export type Tone = 'good' | 'info' | 'fair' | 'bad' | 'idle'

/** What a status is called, and its colour. */
export interface StatusLabel {
  label: string
  tone: Tone
}

/** The label of a status; one that this page does not know is shown as it is. */
export function labelOf(labels: Record<string, StatusLabel>, status: string): StatusLabel {
  return labels[status] ?? { label: status, tone: 'idle' }
}

/** The options of a filter by status. */
export const optionsOf = (labels: Record<string, StatusLabel>) =>
  Object.entries(labels).map(([value, { label }]) => ({ value, label }))
