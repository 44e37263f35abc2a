import { currentOnly } from '../headings.ts'
import { headingsAbroad, type KindAbroad } from '../headings-abroad.ts'
import type { Cell, Line } from './text.ts'

/** `outside` is a column of values that are out of range; `previous` one of earlier values or of goals. */
export type Kind =
  | 'name'
  | 'value'
  | 'outside'
  | 'previous'
  | 'flag'
  | 'unit'
  | 'range'
  | 'status'
  | 'specimen'
  | 'comment'
  | 'other'

export interface Column {
  kind: Kind
  /** Its heading is not known. */
  isStrange?: true
  x0: number
  x1: number
}

/** Longer phrases first: pdf.js joins neighbouring headings, so they are looked for inside the text. */
const sources: [Kind, RegExp][] = [
  // The same value in another unit, which stands beside the one that counts.
  [
    'other',
    /(?:unités?|unit[sà]?|einheit(?:en)?|unidad(?:es)?|unid\.)\s+(?:[ck]onv\.?|conventionnelles?)|(?:[ck]onv\.|alte)\s+(?:einheit(?:en)?|unités?|units?|werte?|values?|results?)|(?:valeurs?|valores?|values?|results?|résultats?|wert|ergebnis)\s+(?:[ck]onv\.|conventionnelles?|converti?e?[sd]?)|[ck]onv\.|converted|umgerechnet/,
  ],
  [
    'previous',
    /(?:previous|prior|last)(?: (?:results?|values?))? \(\d{1,2}[ /.-](?:\d{1,2}|[a-z]{3,9})[ /.-]\d{2,4}\)|(?:previous|prior|last) (?:results?|values?)(?: and date)?|previous|prior|last|history|baseline|vorwerte?|vorbefunde?|(?:résultats? )?antérieure?s?|antériorités?|(?:resultado )?anterior(?:es)?|(?:risultato )?precedenti?|vorige(?: uitslag)?|tidigare|föregående|tidligere|forrige|wynik poprzedni|poprzedni(?: wynik)?|poprz\.(?: wynik)?|wcześniejszy(?: wynik)?|(?:önceki|eski|geçmiş)(?: sonuç)?|förra(?: svaret| resultatet)?|前々?回(?:値)?|前値|過去値?|履歴/,
  ],
  // A day over a column beside that of the result: what was measured then.
  ['previous', /(?:vom |du |del |van )?\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|\d{4}-\d{2}-\d{2}/],
  // What is wished for, or what others have, is no result either.
  [
    'previous',
    /(?:treatment |your |our )?(?:goals?|targets?)(?: range| value)?|optimal(?: range| value)?|(?:population |group )?(?:averages?|means?|medians?)(?: (?:at|of|for|in) (?:(?:your|this|the) (?:age(?: group)?|sex|group|peers|region)|users|others|people))?|percentiles?|z-scores?|zielwerte?|zielbereiche?|mittelwerte?|objectifs?|objetivos?|obiettiv[oi]|(?:valor )?alvo|metas?|streefwaarden?|målvärden?|wartość docelowa|hedef|目標値/,
  ],
  [
    'value',
    /current result(?: and flag)?|(?:your|test|si|conventional) (?:result|value)s?|in range|results?|values?|ergebnisse?|ergebnis|messwerte?|befund|wert|resultate?r?|résultats?|resultados?|risultat[oi]|esit[oi]|svar|værdi|uitslag(?:en)?|resultaat|waarde|observed values?|wyniki?|sonuç(?:lar)?|värde|konzentration(?:en)?|検査結果|結果値?|今回/,
  ],
  ['outside', /out of range/],
  [
    'range',
    /(?:interpretation|decision) limits?|(?:biological |bio\.? )?(?:reference|ref\.?|normal|expected|standard|desired) (?:range|interval|value|limit)s?\.?|range|interval|reference|expected(?: results?)?|referenzbereiche?|referenzwerte?|normbereiche?|normalbereiche?|normwerte?|(?:valeurs|intervalles?) de référence|valeurs usuelles|normes?|(?:valores|intervalos?|rangos?) de referencia|valores normales|(?:valori|intervall[oi]) di riferimento|valori normali|reference(?:intervall?(?:er)?|områder?)|referenz|referentie(?:waarden?|interval(?:len)?|gebied)|normaal(?:waarden?)?|referensintervall|referensvärden?|referanse(?:område|intervall)r?|valore?s? de referência|intervalos? de referência|valor de referencia|referência|referencia|referentie|ref\.|rango|intervalos?|intervall[oi]|normalwerte?|zakres(?: referencyjny| norm)?|wartości referencyjne|norma|referans(?: aralığı| değer(?:i|leri))?|基準(?:値|範囲)|riferimento|referens/,
  ],
  ['value', /valeurs?|valor(?:es)?|valor[ei]/],
  [
    'name',
    /tests? ?names?|tests?(?: performed)?|analytes?|biomarkers?|markers?|components?|parameters?|test description|untersuchung(?:en)?|analysen?|analyt|laborwerte?|bezeichnung|analyses?|examens?|paramètres?|pruebas?|análisis|determinaci(?:ón|ones)|parámetros?|esam[ei]|analisi|parametr[oi]|undersøgelser?|analyser|bepaling(?:en)?|onderzoek|undersökning|analys|undersøkelse|exames?|estudios?|onderzoek|badani[ea]|nazwa badania|test adı|tetkik(?: adı)?|análises?|verfahren|検査項目名?|検査名|項目|allerg[eè]n(?:e|i)?s?|alérgenos?|(?:auto-?)?(?:antibod(?:y|ies)|antikörper|anticorps|anticuerpos?|anticorp[oi]s?)/,
  ],
  [
    'flag',
    /flags?|banderas?|marcas?|abnormal|abn\.?|bew\.|markierung|hinweise?|ind\.|alertes?|alertas?|segn\.|mærke|markering|flaga|vlag|判定/,
  ],
  [
    'unit',
    /(?:si |conventional )?units?(?: of measure)?|uom|einheit(?:en)?|unités?|unidade?s?|unità(?: di misura)?|u\.m\.|enhed(?:er)?|dimension|eenheid|eenheden|enhet(?:er)?|unidades|jednostk[ai]|jedn\.|birim(?:i)?|単位/,
  ],
  // Both sexes' intervals, beside a column of results: without one they may be the results of a couple.
  [
    'other',
    /^(?:men|women|males?|females?|männer|frauen|hommes|femmes|hombres|mujeres|uomini|donne|homens|mulheres|mannen|vrouwen|mænd|kvinder|menn|kvinner|män|kvinnor|mężczyźni|kobiety|muži|ženy|erkek|kadın)(?: (?:ref(?:erence|\.)? )?(?:ranges?|intervals?))?$/,
  ],
  ['status', /(?:result |test )?status|statut|estado|stato/],
  [
    'specimen',
    /specimen(?: type| source)?|samples?(?: type| source)?|échantillon|amostra|próbka|probenart|tipo de muestra|tipo di campione|material|mat\.?|matrix|probenmaterial|materiaal|muestra|campione|prøvemateriale|provmaterial|materiał|numune(?: türü)?|検体|材料/,
  ],
  [
    'comment',
    /(?:lab )?comments?|notes?|remarks?|interpretations?|kommentare?|bemerkung(?:en)?|anmerkung(?:en)?|beurteilung(?:en)?|commentaires?|remarques?|interprétations?|observaci(?:ón|ones)|comentarios?|interpretación|comment[oi]|osservazion[ei]|interpretazione|opmerking(?:en)?|interpretatie|observaç(?:ão|ões)|comentários?|interpretação|anmärkning(?:ar)?|tolkning|bemærkning(?:er)?|uwagi|komentarz|açıklama|yorum|備考|コメント/,
  ],
  [
    'other',
    /lab|methodology|method|technology|technique|date(?: collected)?|site|performing|01|code|(?:rast-?\s?)?klasse|classe|clase|yöntem|metoda|測定法|methode|méthode|método|metodo|metode|datum/,
  ],
]

/** Points from the edge of the page to the first heading, where names stand without one. */
const NAMES_WIDTH = 120
/** Between the headings of names and results, where they are all. */
const PAIR_GAP = 60

/** What columns of other kinds hold is read elsewhere, or is no result. */
const kindsAbroad: Partial<Record<KindAbroad, Kind>> = {
  ...{ name: 'name', value: 'value', unit: 'unit', range: 'range', flag: 'flag', status: 'status' },
  ...{ specimen: 'specimen', comment: 'comment', previous: 'previous', goals: 'previous' },
}
const abroad = headingsAbroad
  .map(([heading, kind]) => ({ heading, kind: kindsAbroad[kind] ?? ('other' as const) }))
  .sort((a, b) => b.heading.length - a.heading.length)

const phrases = sources.map(([kind, { source }]) => [kind, new RegExp(`(?:${source})(?!\\p{L})`, 'uy')] as const)

/** The columns of a heading line, or undefined when the line is none. French laboratories print no heading above the names. */
export const columnsIn = (line: Line): Column[] | undefined => headedColumns(line) ?? headedColumns(line, true)

/** Nearly all words must be headings; where none stands above the names, all of them, beside a wide space. */
function headedColumns(line: Line, isNameless = false): Column[] | undefined {
  const columns: Column[] = []
  const strange: Column[] = []
  const partlyKnown: Column[] = []
  let unknown = 0
  for (const cell of line.cells) {
    // "Value(s)", "Unit(s)": of the same length, so that places in the text stay.
    const text = cell.text.toLowerCase().replace(/(?<=\p{L})\(s\)/gu, 's  ')
    const before = columns.length
    let words = 0
    let at = 0
    while (at < text.length) {
      const found = phraseAt(text, at)
      const last = columns.at(-1)
      // "Bepaling / Analyse": one heading in two languages.
      const isSame =
        columns.length > before && last?.kind === found?.kind && /\p{L}[.)]?\s*\/\s*$/u.test(text.slice(0, at))
      if (found && last && isSame) {
        last.x1 = xAt(cell, at + found.length)
        at += found.length
      } else if (found) {
        columns.push({ kind: found.kind, x0: xAt(cell, at), x1: xAt(cell, at + found.length) })
        at += found.length
      } else if (text[at] === '(' || text[at] === '/') at++
      else {
        const word = /^\S*\s*/.exec(text.slice(at))?.[0] ?? ' '
        if (/[\p{L}\d]/u.test(word)) words += word.trim().length
        at += Math.max(word.length, 1)
      }
      while (text[at] === ' ') at++
    }
    if (columns.length > before) {
      unknown += words
      if (words > 0) partlyKnown.push(...columns.slice(before))
    } else if (words > 0)
      strange.push({
        kind: currentOnly.test(text.trim()) ? 'value' : 'other',
        isStrange: true,
        x0: cell.x0,
        x1: cell.x1,
      })
  }
  // "Valor alvo" beside "Resultado" is some other value.
  if (columns.some((one) => one.kind === 'value' && !partlyKnown.includes(one)))
    for (const one of partlyKnown) if (one.kind === 'value') one.kind = 'previous'
  // "Current" is the result where earlier ones stand beside it, and no other column is.
  const isAmong = (kind: Kind) => columns.some((column) => column.kind === kind)
  const current = strange.findIndex(({ kind }) => kind === 'value')
  if (current >= 0 && isAmong('previous') && !isAmong('value')) columns.push(...strange.splice(current, 1))
  for (const one of strange) one.kind = 'other'
  // "HEMATOLOGY  Result  Units  Range": the title of a panel stands where the names are.
  const [first] = strange
  const isTitled = first === line.cells[0] || (first && first.x0 === line.cells[0]?.x0)
  if (first && isTitled && !columns.some(({ kind }) => kind === 'name') && columns.length >= 2 && strange.length === 1)
    columns.unshift({ ...first, kind: 'name' })
  const has = (kind: Kind) => columns.some((column) => column.kind === kind)
  const isKnown = strange.length === 0 && unknown === 0
  const isWhole = isKnown && (has('unit') || has('range'))
  const values = columns.filter(({ kind }) => kind === 'value').length
  const [leftmost] = columns.toSorted((a, b) => a.x0 - b.x0)
  if (isNameless && isWhole && !has('name') && leftmost && leftmost.x0 >= NAMES_WIDTH && values === 1)
    columns.unshift({ kind: 'name', x0: 0, x1: 0 })
  // "Test  Result", far apart, above answers in words and results with their units.
  const [name, value, ...others] = columns
  const isPair = isKnown && !isNameless && others.length === 0 && line.cells.length === 2 && name?.kind === 'name'
  const isFar = isPair && name && value ? value.x0 - name.x1 >= PAIR_GAP : false
  // "Test  Specimen  Result", above answers in words.
  const isTable = isKnown && !isNameless && line.cells.length >= 3 && line.cells.length === columns.length
  if (!has('name') || !has('value') || !(has('unit') || has('range') || isFar || isTable)) return undefined
  // A heading that is not known is of a column that holds no result.
  const isHeading = unknown <= 0.2 * line.text.length && strange.length * 2 <= columns.length
  return isHeading ? [...columns, ...strange].sort((a, b) => a.x0 - b.x0) : undefined
}

/** Lines in which a heading of two lines is one: "Current" above "Result", "Reference" above "Range". */
export function withJoinedHeadings(lines: readonly Line[]): Line[] {
  return lines.flatMap((line, index) => {
    const [before, next] = [lines[index - 1], lines[index + 1]]
    if (before && joinedHeading(before, line)) return []
    return [(next && joinedHeading(line, next)) ?? line]
  })
}

function joinedHeading(line: Line, next: Line): Line | undefined {
  const isBelow = line.page === next.page && line.y > next.y && line.y - next.y < 2 * line.height
  if (
    !isBelow ||
    line.cells.length < 3 ||
    /\d/.test(line.text + next.text) ||
    headedColumns(line) ||
    headedColumns(next)
  )
    return undefined
  const cells = line.cells.map((cell) => ({ ...cell }))
  for (const below of next.cells) {
    const above = cells.find(({ x0, x1 }) => below.x0 < x1 && below.x1 > x0)
    if (!above) return undefined
    above.text += ` ${below.text}`
    above.x1 = Math.max(above.x1, below.x1)
  }
  const joined = { ...line, cells, text: cells.map(({ text }) => text).join('  ') }
  return headedColumns(joined) ? joined : undefined
}

function phraseAt(text: string, at: number): { kind: Kind; length: number } | undefined {
  const other = abroad.find(({ heading }) => text.startsWith(heading, at) && !isLetter(text[at + heading.length]))
  const farther = other && { kind: other.kind, length: other.heading.length }
  for (const [kind, pattern] of phrases) {
    pattern.lastIndex = at
    const length = pattern.exec(text)?.[0].length
    if (length) return farther && farther.length > length ? farther : { kind, length }
  }
  return farther
}

const isLetter = (character = '') => /\p{L}/u.test(character)

/** What a heading means without a template, if it is known from its beginning on. */
export const knownKind = (heading: string): Kind | undefined => phraseAt(heading, 0)?.kind

const xAt = ({ text, x0, x1 }: Cell, index: number) => x0 + ((x1 - x0) * index) / Math.max(text.length, 1)

export interface Placed extends Cell {
  column: Column
  /** How much nearer than the next column, in points. */
  margin: number
}

/** The column of each cell of a line. A cell that spans several columns is split where they begin. */
export function place(line: Line, columns: readonly Column[]): Placed[] {
  return line.cells.flatMap((cell) => cut(cell, columns)).map((cell) => nearest(cell, columns))
}

function cut(cell: Cell, columns: readonly Column[]): Cell[] {
  const starts = columns.filter(({ x0, kind }) => kind !== 'name' && x0 > cell.x0 + 12 && x0 < cell.x1 - 2)
  if (starts.length === 0) return [cell]
  const pieces: Cell[] = []
  let piece = -1
  for (const found of cell.text.matchAll(/\S+/g)) {
    const x0 = xAt(cell, found.index)
    const x1 = xAt(cell, found.index + found[0].length)
    const over = starts.filter((start) => (x0 + x1) / 2 >= start.x0 - 3).length
    const last = pieces.at(-1)
    if (last && over === piece) {
      last.text += ` ${found[0]}`
      last.x1 = x1
    } else pieces.push({ text: found[0], x0, x1 })
    piece = over
  }
  return pieces
}

function nearest(cell: Cell, columns: readonly Column[]): Placed {
  const scored = columns
    .map((column) => ({ column, distance: distance(cell, column) }))
    .sort((a, b) => a.distance - b.distance)
  const [best, next] = scored
  if (!best) throw new Error('no columns')
  return { ...cell, column: best.column, margin: (next?.distance ?? Number.POSITIVE_INFINITY) - best.distance }
}

/** Cells are aligned left, right or in the middle; names always left. */
function distance({ x0, x1 }: Cell, column: Column): number {
  const left = Math.abs(x0 - column.x0)
  if (column.kind === 'name') return left
  return Math.min(left, Math.abs(x1 - column.x1), Math.abs((x0 + x1 - column.x0 - column.x1) / 2))
}
