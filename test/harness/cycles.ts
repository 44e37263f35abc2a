import { importsOf, type Source } from './sources.ts'

/** Import cycles, each as `a.ts → b.ts → a.ts`; imports of types count as well. Finds at least one of each knot. */
export function importCycles(sources: readonly Source[]): string[] {
  const imported = new Map(sources.map((file) => [file.path, importsOf(file).map(({ to }) => to)]))
  const isDone = new Set<string>()
  const trail: string[] = []
  const found: string[] = []
  const visit = (path: string) => {
    const start = trail.indexOf(path)
    if (start >= 0) found.push([...trail.slice(start), path].join(' → '))
    if (start >= 0 || isDone.has(path)) return
    trail.push(path)
    for (const next of imported.get(path) ?? []) visit(next)
    trail.pop()
    isDone.add(path)
  }
  for (const path of imported.keys()) visit(path)
  return found
}
