import { type Html, html, type Part } from '../../../platform/http/html.ts'
import type { Trouble } from '../../../platform/http/pages.ts'
import type { Paper } from '../paper.ts'
import { neutralPaper, page } from './layout.ts'

const said: Record<Trouble, { title: string; body: Part }> = {
  expiredForm: {
    title: 'Please send that again',
    body: html`<p>This page was open for a long time, or cookies are switched off in your browser. Nothing was lost that we had already.</p>
<p>Go back one page, load it anew, and send it once more. Cookies have to be allowed for this site.</p>`,
  },
  tooMuch: {
    title: 'Please wait a while',
    body: html`<p>There were too many tries from your connection. Please wait: after an hour at the latest it works again.</p>`,
  },
  notFound: {
    title: 'There is no such page',
    body: html`<p>Please check the address, or begin with the ID on the box of your kit.</p><a class="button" href="/k">Enter the ID</a>`,
  },
  failed: {
    title: 'Something went wrong here',
    body: html`<p>It was not your fault. Please try again in a few minutes: go back one page and send it once more.</p>`,
  },
}

/** What went wrong, in words. */
export const troublePage = (kind: Trouble, paper: Paper = neutralPaper): Html =>
  page({ title: said[kind].title, paper, body: html`<h1>${said[kind].title}</h1>${said[kind].body}` })
