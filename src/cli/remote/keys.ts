import { createInterface } from 'node:readline'

/** Calls `onKey` for each key pressed at a terminal, and elsewhere for each line that begins with it. Returns what ends that. */
export function listenForKeys(onKey: (key: string) => void): () => void {
  const { stdin } = process
  if (!stdin.isTTY) {
    const lines = createInterface({ input: stdin }).on('line', (line) => onKey(line.trim().charAt(0)))
    return () => {
      lines.close()
      stdin.destroy()
    }
  }
  const onData = (keys: Buffer) => [...keys.toString()].forEach(onKey)
  stdin.setRawMode(true).resume().on('data', onData)
  return () => {
    stdin.off('data', onData).setRawMode(false).pause()
  }
}
