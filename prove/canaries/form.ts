export interface FormPage {
  path: string
  html: string
  /** Fills in the form of the page and sends it. */
  submit(typed: Record<string, string>): Promise<FormPage>
}

/** A browser that keeps cookies, follows redirects and sends forms, with further headers. */
export function form(baseUrl: string, headers: Record<string, string> = {}) {
  const cookies = new Map<string, string>()

  async function ask(path: string, init: RequestInit = {}): Promise<FormPage> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(new URL(path, baseUrl), {
      ...init,
      redirect: 'manual',
      headers: { ...headers, cookie, 'sec-fetch-site': 'same-origin' },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const to = response.headers.get('location')
    if (to) return ask(to)
    const html = await response.text()
    return {
      path,
      html,
      submit(typed) {
        const [, action = '', fields = ''] = /<form method="post" action="([^"]*)"(.*?)<\/form>/s.exec(html) ?? []
        if (!action) throw new Error(`no form on ${path}, ${response.status}`)
        const hidden = [...fields.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
        const own = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]))
        return ask(action, { method: 'POST', body: new URLSearchParams({ ...own, ...typed }) })
      },
    }
  }

  return Object.assign((path: string) => ask(path), { cookies: () => [...cookies.values()] })
}
