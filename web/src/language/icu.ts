/**
 * The part of ICU MessageFormat that the dashboard uses, in 2 kB instead of the 11 kB of the library that the service uses:
 * `{name}`, `{count, number}`, `plural`, `select`, tags, and apostrophes that quote. Tests compare it with that library.
 */
export type Part =
  | string
  | { kind: 'value' | 'number' | 'pound'; name: string }
  | { kind: 'plural'; name: string; options: Options }
  | { kind: 'select'; name: string; options: Options }
  | { kind: 'tag'; name: string; inner: readonly Part[] }

type Options = Readonly<Record<string, readonly Part[]>>

/** @throws SyntaxError where it is no message, or has a form that is not known here */
export function parse(message: string): readonly Part[] {
  let at = 0
  const fail = (): never => {
    throw new SyntaxError(`"${message}" is no message at ${at}`)
  }
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const [found] = pattern.exec(message) ?? fail()
    at += found.length
    return found.trim()
  }
  const isNext = (text: string): boolean => message.startsWith(text, at)

  /** Until the end, a closing brace, or a closing tag. `plural`: the name of the number that `#` stands for. */
  function parts(plural?: string): Part[] {
    const found: Part[] = []
    let text = ''
    const push = (part: Part) => {
      if (text) found.push(text)
      text = ''
      found.push(part)
    }
    while (at < message.length && !isNext('}') && !isNext('</')) {
      if (isNext('{')) push(argument())
      else if (isNext('<') && /[a-z]/i.test(message[at + 1] ?? '')) push(tag(plural))
      else if (isNext('#') && plural !== undefined) {
        at++
        push({ kind: 'pound', name: plural })
      } else if (isNext("'")) text += quoted(plural !== undefined)
      else text += message[at++]
    }
    if (text) found.push(text)
    return found
  }

  function quoted(inPlural: boolean): string {
    const next = message[at + 1] ?? ''
    if (next === "'") {
      at += 2
      return "'"
    }
    at++
    if (!'{}<>'.includes(next || ' ') && !(inPlural && next === '#')) return "'"
    const inner = take(/(?:[^']|'')*/y)
    if (isNext("'")) at++
    return inner.replaceAll("''", "'")
  }

  function tag(plural: string | undefined): Part {
    const name = take(/<[a-z]\w*/iy).slice(1)
    take(/\s*>/y)
    const inner = parts(plural)
    if (!isNext(`</${name}>`)) fail()
    at += name.length + 3
    return { kind: 'tag', name, inner }
  }

  function argument(): Part {
    const name = take(/\{\s*\w+\s*/y)
      .slice(1)
      .trim()
    if (isNext('}')) {
      at++
      return { kind: 'value', name }
    }
    const kind = take(/,\s*(?:number|plural|select)\s*/y)
      .slice(1)
      .trim()
    if (kind === 'number') {
      take(/\}/y)
      return { kind, name }
    }
    take(/,\s*/y)
    const options: Record<string, readonly Part[]> = {}
    while (!isNext('}')) {
      const key = take(/(?:=\d+|\w+)\s*\{/y).replace(/\s*\{$/, '')
      options[key] = parts(kind === 'plural' ? name : undefined)
      take(/\}\s*/y)
    }
    at++
    if (options.other === undefined) fail()
    return kind === 'plural' ? { kind, name, options } : { kind: 'select', name, options }
  }

  const all = parts()
  return at < message.length ? fail() : all
}

type Values = Readonly<Record<string, unknown>>

/** The parts with their values, neighbouring texts joined: a text alone, where no value is anything else. */
export function format(parts: readonly Part[], values: Values, language: string): unknown[] {
  const out: unknown[] = []
  const push = (part: unknown) => {
    const last = out.length - 1
    if (typeof part === 'string' && typeof out[last] === 'string') out[last] += part
    else out.push(part)
  }
  for (const part of parts) {
    if (typeof part === 'string') {
      push(part)
      continue
    }
    const value = values[part.name]
    if (value === undefined) throw new TypeError(`A message lacks its value ${part.name}`)
    if (part.kind === 'plural' || part.kind === 'select')
      format(chosen(part.kind, part.options, value, language), values, language).forEach(push)
    else if (part.kind === 'tag') push((value as (inner: unknown[]) => unknown)(format(part.inner, values, language)))
    else if (part.kind === 'value') push(typeof value === 'number' ? String(value) : value)
    else push(new Intl.NumberFormat(language).format(Number(value)))
  }
  return out
}

function chosen(kind: 'plural' | 'select', options: Options, value: unknown, language: string): readonly Part[] {
  const key = kind === 'plural' ? new Intl.PluralRules(language).select(Number(value)) : String(value)
  return (kind === 'plural' ? options[`=${value}`] : undefined) ?? options[key] ?? options.other ?? []
}
