/** Hands a file to the person's browser. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser has begun to read by the next turn; a minute is far beyond.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
