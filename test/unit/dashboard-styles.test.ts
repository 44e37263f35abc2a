import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { mantineNames, orderOfStyles, stylesOf } from '../harness/mantine-styles.ts'
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

// What these are made of stands on every page.
const packages = ['notifications', 'spotlight'].flatMap((name) => {
  const folder = `node_modules/@mantine/${name}/esm`
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.mjs'))
    .map((file) => ({ path: file, text: readFileSync(`${folder}/${file}`, 'utf8') }))
})

it('the dashboard has the styles of every component of Mantine that it uses, no others, and in the order of Mantine', () => {
  const used = stylesOf(mantineNames([...files.values(), ...packages]))
  expect(used.length).toBeGreaterThan(50)
  const sheet = files.get('web/src/app/mantine.css')?.text ?? ''
  const imported = [...sheet.matchAll(/@mantine\/core\/styles\/([\w-]+)\.css/g)].map(([, name = '']) => name)
  expect(imported).toEqual(['baseline', 'default-css-variables', 'global', ...orderOfStyles(used)])
})

it('a component of Mantine needs the styles of those that it is made of', () => {
  expect(mantineNames([{ path: 'a.tsx', text: "import { Select, type TextProps } from '@mantine/core'" }])).toEqual([
    'Select',
  ])
  expect(stylesOf(['Select'])).toEqual(expect.arrayContaining(['Combobox', 'Input', 'Popover', 'ScrollArea']))
})
