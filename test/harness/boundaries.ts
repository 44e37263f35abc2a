import * as extensions from '../../src/extensions/index.ts'
import { modules } from '../../src/modules/index.ts'
import { type Owner, owners } from './owners.ts'
import type { Rule } from './rules.ts'
import { importsOf, type Source, withoutComments } from './sources.ts'
import { tablesReadBy, tablesWrittenBy } from './tables.ts'

const order = modules.map(({ name }) => name)
const ownerOf = (table: string): Owner | undefined => owners[table]

/** A module, `platform`, or the folder below src. */
const moduleOf = (path: string) => /^src\/(?:(?:modules|extensions)\/)?([^/]+)\/./.exec(path)?.[1] ?? path
/** The path of a file as reasons and sentences say it: from its module on. */
const inModule = (path: string) => path.replace(/^src\/(modules|extensions|platform)\//, '')
const isModule = (path: string) => /^src\/(modules|extensions)\//.test(path)
const isSource = (path: string) => path.startsWith('src/') && !path.endsWith('.gen.ts')
const isAbove = (module: string, other: string) => order.indexOf(module) < order.indexOf(other)
const isOfAnotherExtension = (path: string, owner: string) =>
  path.startsWith('src/extensions/') && owner in extensions && owner !== moduleOf(path)
const isQueries = (path: string) => /(^|[/-])queries\.ts$/.test(path)

const BUILDERS = ['kysely', 'src/platform/database/sql.ts', 'src/platform/database/statement.ts']
const SQL = /\bsql(<.*>)?`|\.client\.query\(/

/** Whether a file acts in a transaction: a service, a verb, a route or a job. */
const isActing = (file: Source) =>
  isModule(file.path) &&
  !/(^|[/-])(queries|rules|schema)\.ts$/.test(file.path) &&
  importsOf(file).some(({ to }) => /^src\/platform\/(database\/tx|http\/[\w-]*route|jobs\/job)\.ts$/.test(to))

const acting = new WeakMap<readonly Source[], ReadonlySet<string>>()
const actingAmong = (sources: readonly Source[]): ReadonlySet<string> => {
  const known = acting.get(sources) ?? new Set(sources.filter(isActing).map(({ path }) => path))
  acting.set(sources, known)
  return known
}

// Product words, as whole words of a text or of a camelCase name.
const WORDS =
  'kits?|biomarkers?|panels?|laborator(?:y|ies)|specimens?|parcels?|recipients?|customers?|credits?|fulfilments?|carriers?|reports|report(?=_?Id)|orders|order(?=_?Id)|webhooks?|invoices?|consents?|registrations?|uploads?|payments?|portal'
const productWord = new RegExp(
  `(?<![a-zA-Z])(?:${WORDS})(?![a-z])|(?<=[a-z])(?:${WORDS.replace(/(^|\|)([a-z])/g, (_, bar, letter) => `${bar}${letter.toUpperCase()}`)})(?![a-z])`,
)

// A library's own names, in platform/backup/key.ts.
const WORDS_OF_AGE = /\b(identityToRecipient|addRecipient)\b/g

export const boundaries: Rule[] = [
  {
    sentence: 'a table is written by the module that declares it',
    check: (file) => {
      if (!isSource(file.path)) return []
      const foreign = tablesWrittenBy(file).filter((table) => ownerOf(table)?.module !== moduleOf(file.path))
      return foreign.map(
        (table) => `${file.path} writes ${table}: ${ownerOf(table)?.written} (of ${ownerOf(table)?.module})`,
      )
    },
    broken: { path: 'src/modules/privacy/queries.ts', text: 'sql`\n  update orders o set email = null`' },
  },
  {
    sentence: 'a module reads its own tables and those of modules above it (exceptions: `readsBelow` of a module)',
    check: (file) => {
      if (!isModule(file.path)) return []
      return tablesReadBy(file).flatMap((table) => {
        const owner = ownerOf(table)
        if (!owner || owner.readByAll || owner.readAlsoBy[inModule(file.path)]) return []
        if (isOfAnotherExtension(file.path, owner.module))
          return [`${file.path} reads ${table} of ${owner.module}, which may be removed`]
        return isAbove(moduleOf(file.path), owner.module)
          ? [`${file.path} reads ${table} of ${owner.module}, below it`]
          : []
      })
    },
    broken: { path: 'src/modules/audit/queries.ts', text: 'sql`select 1 from audit_entries e join kits k on true`' },
  },
  {
    sentence: 'SQL stands in queries.ts and *-queries.ts only',
    check: (file) => {
      if (!/^src\/(modules|extensions|cli)\//.test(file.path) || isQueries(file.path)) return []
      const builds = importsOf(file).some(({ to }) => BUILDERS.includes(to)) || SQL.test(withoutComments(file.text))
      const holdsSql = builds || tablesWrittenBy(file).length > 0 || tablesReadBy(file).length > 0
      return holdsSql ? [`${file.path} holds SQL`] : []
    },
    broken: { path: 'src/modules/orders/operator-routes.ts', text: "import { sql } from 'kysely'" },
  },
  {
    sentence: 'queries stand below everything that acts: they import no service, verb, route or job',
    check: (file, sources) => {
      if (!isModule(file.path) || !isQueries(file.path)) return []
      return importsOf(file)
        .filter(({ to }) => actingAmong(sources).has(to))
        .map(({ specifier }) => `${file.path} imports ${specifier}`)
    },
    broken: { path: 'src/modules/orders/queries.ts', text: "import { refund } from '../credits/refund.ts'" },
    beside: {
      path: 'src/modules/credits/refund.ts',
      text: "import type { Tx } from '../../platform/database/tx.ts'",
    },
  },
  {
    sentence: 'the platform knows no word of the product',
    check: ({ path, text }) => {
      if (!path.startsWith('src/platform/') || path.endsWith('.gen.ts')) return []
      return withoutComments(text)
        .replaceAll(WORDS_OF_AGE, '')
        .split('\n')
        .flatMap((line, index) => (productWord.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : []))
    },
    broken: { path: 'src/platform/http/server.ts', text: 'const page = listKits(tx)' },
  },
]
