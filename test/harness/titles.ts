/** Lists the tests that a test file declares, each as `describe › test`, or the test alone outside of a describe. */
export function testTitles(source: string): Set<string> {
  const found: { indent: number; isGroup: boolean; title: string }[] = []
  for (const { index, groups = {} } of source.matchAll(declarations)) {
    const title = (groups.title ?? '').replace(/\\(.)/gs, '$1')
    const { indent, word } = callee(source, index)
    if (word) found.push({ indent, isGroup: word === 'describe', title })
  }
  const titles = new Set<string>()
  for (const [at, { indent, isGroup, title }] of found.entries()) {
    if (isGroup) continue
    const group = found.slice(0, at).findLast((one) => one.isGroup && one.indent < indent)
    titles.add(group && indent > 0 ? `${group.title} › ${title}` : title)
  }
  return titles
}

// `it('…',`, `it.skipIf(…)('…',`, `it.each([…])('…',`: the string that a call begins with.
const declarations =
  /(?:\b(?:describe|it|test)(?:\.\w+)?|\))(?:<[^\n]*>)?\(\s*(?<quote>['"`])(?<title>(?:\\.|(?!\k<quote>)[^\\])*)\k<quote>,/gs

/** The word and the indentation of the statement that holds this place: its first line may be above. */
function callee(source: string, index: number): { indent: number; word?: string } {
  const lines = source.slice(0, source.indexOf('\n', index)).split('\n')
  const own = /^ */.exec(lines.at(-1) ?? '')?.[0].length ?? 0
  const line = lines.findLast((text) => new RegExp(`^ {${own}}(?:describe|it|test)\\b`).test(text))
  const starts = /^ *(?:describe|it|test)\b|^ *\]\)\(/.test(lines.at(-1) ?? '')
  return { indent: own, word: starts ? /\w+/.exec(line ?? '')?.[0] : undefined }
}
