import { expect } from 'vitest'

export interface VisitedPage {
  status: number
  headers: Headers
  /** The path after all redirects. */
  path: string
  html: string
  /** The visible text. */
  text: string
}

/** Values typed into a form, in addition to its own. */
type FormFields = Record<string, string>

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const unescaped = (text: string) => text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')

const read = (html: string) =>
  unescaped(
    html
      .replace(/<head>.*?<\/head>/s, '')
      .replace(/<svg.*?<\/svg>|<wbr>/gs, '')
      .replace(/<[^>]*>/g, ' '),
  ).replace(/\s+/g, ' ')

const attribute = (tag: string, name: string) => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)
  return found && unescaped(found[1] ?? '')
}

/** The fields that a form would send unchanged. */
function fieldsOf(html: string): FormFields {
  const inputs = [...html.matchAll(/<input[^>]*>/g)].map(([tag]) => tag)
  const sent = inputs.filter((tag) => !/type="(radio|checkbox)"/.test(tag) || /\schecked/.test(tag))
  const pairs = sent.map((tag) => [attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? ''])
  const selects = [...html.matchAll(/<select[^>]*name="(\w+)".*?<\/select>/gs)].map(([all, name]) => {
    const chosen = /<option value="([^"]*)" selected>/.exec(all)
    return [name ?? '', chosen?.[1] ?? '']
  })
  return Object.fromEntries([...pairs, ...selects])
}

/** A browser without scripts. It keeps cookies, follows redirects and sends forms. */
export function visitor(baseUrl: string) {
  const cookies = new Map<string, string>()

  async function ask(path: string, init: RequestInit = {}): Promise<VisitedPage> {
    const response = await fetch(new URL(path, baseUrl), {
      ...init,
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '), ...init.headers },
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...rest] = line.split(';')
      const [name = '', value = ''] = pair.split('=')
      if (rest.some((part) => part.trim() === 'Max-Age=0')) cookies.delete(name)
      else cookies.set(name, value)
    }
    const to = response.headers.get('location')
    if (to) {
      expect(response.status).toBe(303)
      return ask(to, { headers: init.headers })
    }
    const html = await response.text()
    return { status: response.status, headers: response.headers, path, html, text: read(html) }
  }

  return {
    cookies,
    open: (path: string, headers: Record<string, string> = {}) => ask(path, { headers }),
    /** Fills in the form of a page and sends it. */
    submit(page: VisitedPage, typed: FormFields = {}, headers: Record<string, string> = {}): Promise<VisitedPage> {
      const form = /<form method="post" action="([^"]*)".*?<\/form>/s.exec(page.html)
      if (!form?.[1]) throw new Error(`no form on ${page.path}: ${page.text}`)
      const body = new URLSearchParams({ ...fieldsOf(form[0]), ...typed })
      return ask(unescaped(form[1]), { method: 'POST', body, headers: { 'sec-fetch-site': 'same-origin', ...headers } })
    },
    /** Sends form fields to any address, without a page. */
    post: (path: string, body: FormFields, headers: Record<string, string> = {}) =>
      ask(path, { method: 'POST', body: new URLSearchParams(body), headers }),
  }
}
export type Visitor = ReturnType<typeof visitor>
