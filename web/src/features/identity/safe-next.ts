/** Only a path of the dashboard: a link must not lead to another site after signing in. */
export function safeNext(next: string | undefined): string | undefined {
  const path = next?.replace(/^\/app(?=\/)/, '')
  return path?.startsWith('/') && !path.startsWith('//') && !path.startsWith('/sign-in') ? path : undefined
}
