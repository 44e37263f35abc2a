import { expect, it } from 'vitest'
import { read, trackedFiles } from '../harness/sources.ts'

const files = new Map(
  read(trackedFiles().filter((path) => path.startsWith('web/src/'))).map((file) => [file.path, file]),
)

const unknownClasses = (component: string, sheet: string) =>
  [...component.matchAll(/\bcss\.(\w+)/g)].flatMap(([, name = '']) =>
    new RegExp(`\\.${name}\\b`).test(sheet) ? [] : [name],
  )

it('every class that a component of the dashboard uses is in its style sheet', () => {
  const found = [...files.values()].flatMap(({ path, text }) => {
    const specifier = /^import css from '([^']+)'/m.exec(text)?.[1]
    if (specifier === undefined) return []
    const sheet = new URL(specifier, `file:///${path}`).pathname.slice(1)
    return unknownClasses(text, files.get(sheet)?.text ?? '').map((name) => `${path}: ${name}`)
  })
  expect(found).toEqual([])
  expect(unknownClasses('<p className={css.line} />', '.lines { color: red }')).toEqual(['line'])
})
