import { DEFAULT_COLOR, inkOn } from '@kitlane/display/color'
import { type Translator, translatorOf } from '../../domain/translations/translator.ts'

/** What an e-mail says, without how it looks. Any text may stand in it: the layout escapes. */
export interface EmailContent {
  kind: string
  subject: string
  title: string
  paragraphs: readonly string[]
  /** Shown as a small table. */
  facts?: readonly (readonly [label: string, value: string])[]
  /** A button to a page of this service, or without `path` to the person's own; `without` is the text without a button. */
  button?: { label: string; path?: string; with?: string; without?: string }
}

/** How a business shows itself. */
export interface Brand {
  name: string
  /** `#rrggbb` */
  color: string | null
  logoUrl: string | null
  contactEmail: string | null
}

export interface Rendered {
  subject: string
  text: string
  html: string
}

const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

interface RenderOptions {
  /** Who is greeted. */
  name?: string | undefined
  /** Where the button leads. */
  url?: string | undefined
  /** The link that stops such e-mails, and its text. */
  stop?: { label: string; url: string } | undefined
  /** Of what the layout says itself; English without. */
  t?: Translator | undefined
}

/** Renders an e-mail in the look of the business, as text and as HTML. */
export function render(
  email: EmailContent,
  brand: Brand,
  { name, url, stop, t = translatorOf('en') }: RenderOptions = {},
): Rendered {
  const business = plain(brand.name)
  const facts = (email.facts ?? []).map(([label, value]) => [plain(label), plain(value)] as const)
  const content: Content = {
    title: plain(email.title),
    paragraphs: [
      plain(name ? t('email.helloName', { name }) : t('email.hello')),
      ...email.paragraphs.map(plain),
      ...aboutButton(email, url),
    ],
    facts,
    ...(email.button && url && { button: { label: plain(email.button.label), url } }),
    footer: plain(
      brand.contactEmail
        ? t('email.footerWrite', { business, email: brand.contactEmail })
        : t('email.footerAsk', { business }),
    ),
    stop,
  }
  return { subject: plain(email.subject), text: asText(content), html: asHtml(content, brand, t) }
}

interface Content {
  title: string
  paragraphs: readonly string[]
  facts: readonly (readonly [string, string])[]
  button?: { label: string; url: string }
  footer: string
  stop: { label: string; url: string } | undefined
}

function aboutButton({ button }: EmailContent, url: string | undefined): string[] {
  const sentence = url ? button?.with : button?.without
  return sentence ? [plain(sentence)] : []
}

// Control characters would end a header or a line; bidirectional overrides make a text read as another one.
const unwanted = /[\p{Cc}\u2028\u2029\u202a-\u202e]+/gu
// A message in Arabic has them around each value: no space may be left of them.
const isolates = /[\u2066-\u2069]/g

/** One line of text, whatever was given. */
export const plain = (text: string): string =>
  text.replace(isolates, '').replace(unwanted, ' ').replace(/\s+/g, ' ').trim()

function asText({ title, paragraphs, facts, button, footer, stop }: Content): string {
  const [greeting = '', ...rest] = paragraphs
  const table = facts.map(([label, value]) => `${label}: ${value}`).join('\n')
  const link = button ? `${button.label}:\n${button.url}` : ''
  const end = stop ? `-- \n${footer}\n\n${stop.label}\n${stop.url}` : `-- \n${footer}`
  return `${[title, greeting, ...rest, link, table, end].filter((part) => part !== '').join('\n\n')}\n`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

function asHtml({ title, paragraphs, facts, button, footer, stop }: Content, brand: Brand, t: Translator): string {
  const color = brand.color ?? `#${DEFAULT_COLOR}`
  const link = button
    ? `<p style="margin:8px 0 24px"><a href="${escaped(button.url)}" style="display:inline-block;padding:14px 24px;border-radius:6px;background:${color};color:${inkOn(color)};font-weight:600;text-decoration:none">${escaped(button.label)}</a></p>`
    : ''
  const rows = facts.map(
    ([label, value]) =>
      `<tr><td class="soft" style="padding:6px 0;padding-inline-end:24px;color:#5b6470;white-space:nowrap">${escaped(label)}</td>` +
      `<td style="padding:6px 0;font-weight:600;overflow-wrap:anywhere"><bdi>${escaped(value)}</bdi></td></tr>`,
  )
  const table = `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px 0 16px;font-size:15px">${rows.join('')}</table>`
  const end = stop
    ? `<br><a class="soft" href="${escaped(stop.url)}" style="color:#5b6470">${escaped(stop.label)}</a>`
    : ''
  return `<!doctype html>
<html lang="${t.language}" dir="${t.direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escaped(title)}</title>
<style>@media (prefers-color-scheme:dark){.page{background:#15181c!important}.card{background:#1f2429!important;color:#e9edf1!important}.soft{color:#a3adb8!important}}</style>
</head><body class="page" dir="${t.direction}" style="margin:0;padding:0;background:#f2f4f6;font-family:${FONT}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="page" style="background:#f2f4f6"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" class="card" style="width:100%;max-width:600px;background:#ffffff;color:#1c2126;border-radius:8px;overflow:hidden">
<tr><td style="background:${color};color:${inkOn(color)};padding:20px 32px;font-size:18px;font-weight:600">${masthead(brand)}</td></tr>
<tr><td style="padding:32px;font-size:16px;line-height:1.55"><h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escaped(title)}</h1>
${paragraphs.map((text) => `<p style="margin:0 0 16px">${escaped(text)}</p>`).join('\n')}
${link}
${facts.length > 0 ? table : ''}
<p class="soft" style="margin:24px 0 0;font-size:13px;line-height:1.5;color:#5b6470">${escaped(footer)}${end}</p>
</td></tr></table></td></tr></table></body></html>
`
}

function masthead({ name, logoUrl }: Brand): string {
  const business = escaped(plain(name))
  if (logoUrl === null) return business
  return `<img src="${escaped(logoUrl)}" alt="${business}" height="36" style="display:block;height:36px;max-width:240px;border:0">`
}
