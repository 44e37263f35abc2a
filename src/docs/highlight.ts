import { type Html, html } from '../platform/http/html.ts'

const keywords: Record<string, string> = {
  ts: 'import|from|export|const|let|await|async|for|of|if|else|try|catch|throw|return|new|function|type|true|false|null|undefined',
  py: 'import|from|def|return|if|elif|else|for|in|not|and|or|raise|try|except|with|as|class|True|False|None|while',
  go: 'package|import|func|return|if|else|for|range|var|const|type|struct|nil|true|false|defer|err',
  php: 'function|return|if|else|foreach|throw|new|true|false|null|string|array|int|bool',
  sh: 'export|if|then|fi|for|in|do|done|curl|npx|npm|node|python3',
  json: 'true|false|null',
}
const aliases: Record<string, string> = {
  js: 'ts',
  python: 'py',
  bash: 'sh',
  javascript: 'ts',
  typescript: 'ts',
  '': 'sh',
}
const hash = /(?:^|(?<=\s))#.*/.source
const slashes = /(?<!:)\/\/.*/.source
const comments: Record<string, string> = { ts: slashes, go: slashes, php: slashes, py: hash, sh: hash }
const STRING = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/.source

/** Code with its strings, comments, keywords and numbers marked; in no language of ours, as it is. */
function highlight(code: string, language: string): Html {
  const name = aliases[language] ?? language
  const words = keywords[name]
  if (!words) return html`${code}`
  const pattern = new RegExp(
    [
      `(?<c>${comments[name] ?? '(?!)'})`,
      `(?<s>${STRING})`,
      `(?<k>\\b(?:${words})\\b)`,
      '(?<n>\\b\\d[\\d_.]*\\b)',
    ].join('|'),
    'gm',
  )
  const parts: Html[] = []
  let at = 0
  for (const match of code.matchAll(pattern)) {
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0]
    const isName = kind === 's' && name === 'json' && /^\s*:/.test(code.slice(match.index + match[0].length))
    parts.push(html`${code.slice(at, match.index)}<span class="${isName ? 'f' : kind}">${match[0]}</span>`)
    at = match.index + match[0].length
  }
  return html`${parts}${code.slice(at)}`
}

/** A block of code as pages show it. */
export const codeBlock = (code: string, language = ''): Html =>
  html`<pre tabindex="0"><code>${highlight(code.replace(/\n$/, ''), language)}</code></pre>`
