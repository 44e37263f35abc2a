/** Downloads a file. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser starts to read at once; a minute is ample.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
