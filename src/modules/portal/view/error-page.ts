import { type Html, html } from '../../../platform/http/html.ts'
import type { PageRequest, Trouble } from '../../../platform/http/pages.ts'
import { speechOf } from '../language.ts'
import { neutralPaper, type Paper } from '../paper.ts'
import { page } from './layout.ts'

/** What went wrong, in words. */
export function troublePage(kind: Trouble, paper: Paper): Html {
  const { t } = paper
  const title = t(`trouble.${kind}`)
  const next = {
    expiredForm: html`<p>${t('trouble.expiredForm.next')}</p>`,
    tooMuch: null,
    notFound: html`<a class="button" href="/k">${t('trouble.notFound.next')}</a>`,
    failed: null,
  }
  return page({ title, paper, body: html`<h1>${title}</h1><p>${t(`trouble.${kind}.why`)}</p>\n${next[kind]}` })
}

/** The same where no business is known. */
export const neutralTroublePage = (kind: Trouble, request: PageRequest): Html =>
  troublePage(kind, neutralPaper(speechOf(request)))
