/** `90 s`, `3 h`: one whole number, for people. */
export function age(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} days`
}

/** The first sentence of an error that was written for people; what libraries say may quote anything. */
export function reasonOf(error: unknown, code = 'unknown'): string {
  if (!(error instanceof Error)) return code
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.name === 'StartError' ? error.message : code
}
