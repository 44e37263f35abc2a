import type { Module, PeopleData } from '../modules/define-module.ts'
import { modules } from '../modules/index.ts'

const ERASED = ['what', 'sealed', 'in clear beside it', 'kept', 'who reads it', 'erasure of the person']

const columns: Readonly<Record<PeopleData['in'], readonly string[]>> = {
  retention: ERASED.slice(0, -1),
  person: ERASED,
  results: ERASED,
  passing: ERASED,
  staff: ['what', 'form', 'kept', 'who reads it'],
}

/** Tables that hold the same of people stand in one row. */
function rowsOf(all: readonly Module[], section: PeopleData['in']): string[] {
  const tables = all.flatMap(({ tables = {} }) => Object.entries(tables))
  const shown = tables.flatMap(([name, { people }]) => (people?.in === section ? [{ name, people }] : []))
  const rows = Map.groupBy(shown, ({ people }) => JSON.stringify(people)).values()
  return [...rows].map((same) => {
    const names = same.map(({ name }) => `\`${name}\``).join(', ')
    return line([names, ...same.slice(0, 1).flatMap(({ people }) => cellsOf(people))])
  })
}

function cellsOf({ in: section, what, sealed, clear = '', kept, readBy, erasure = '' }: PeopleData): string[] {
  if (section === 'staff') return [what, sealed, kept, readBy]
  const cells = [what, sealed, clear, kept, readBy]
  return section === 'retention' ? cells : [...cells, erasure]
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** The data map with its tables as the modules declare them: each stands between `<!-- tables: its section -->` and `<!-- end -->`. */
export const dataMapDocument = (text: string, all: readonly Module[] = modules): string =>
  text.replaceAll(
    /(<!-- tables: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, start: string, section: PeopleData['in'], end: string) => {
      const head = ['table', ...columns[section]]
      return `${start}${[line(head), line(head.map(() => '---')), ...rowsOf(all, section)].join('\n')}\n${end}`
    },
  )
