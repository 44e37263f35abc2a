import { expect, it } from 'vitest'
import { isLoadedAhead, SOURCES } from '../../web/build/loaded-ahead.ts'
import { importsOf, read, trackedFiles } from '../harness/sources.ts'

it('npm run dev knows of each source that it loads ahead: a change of one reaches the process that starts next', () => {
  const display = (to: string) => to.replace(/^@kitlane\/display\/(.+?)(?:\.ts)?$/, 'display/$1.ts')
  const byPath = new Map(read(trackedFiles().filter((path) => path.endsWith('.ts'))).map((one) => [one.path, one]))
  const loaded = new Set<string>()
  const follow = (path: string) => {
    const source = byPath.get(path)
    if (!source || loaded.has(path)) return
    loaded.add(path)
    for (const { to, typeOnly } of importsOf(source)) if (!typeOnly) follow(display(to))
  }
  SOURCES.forEach(follow)
  expect([...loaded].filter((path) => !isLoadedAhead(path))).toEqual([])
  expect(loaded.size).toBeGreaterThan(100)
  expect(isLoadedAhead('src/modules/orders/rules.ts')).toBe(false)
})
