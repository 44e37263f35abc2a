const KEY = 'kitlane-sso'

/** What this tab keeps while the person is at their provider. Another tab, or another site, cannot read it. */
export interface KeptAttempt {
  secret: string
  next?: string | undefined
  /** It only tries a connection, from its page. */
  trial?: { issuer: string; back: string } | undefined
}

export function keepAttempt(attempt: KeptAttempt): void {
  sessionStorage.setItem(KEY, JSON.stringify(attempt))
}

/** Returns it once. */
export function takeAttempt(): KeptAttempt | undefined {
  const text = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return text === null ? undefined : JSON.parse(text)
}
