import type { Setup } from '../../../domain/payment-gateway.ts'
import type { Allowed, Page, PageAnswer, PageRequest, Trouble } from '../../../platform/http/pages.ts'
import { CONFIRMED, REFUSED } from '../gateways/simulated-setups.ts'
import { finishCardSession } from './finish.ts'
import { maybeFindSession } from './sessions.ts'
import { assets, confirmPage, notePage, type Speech, simulatedPage, stripePage } from './view.ts'
import { languageOf } from './words.ts'

// https://docs.stripe.com/security/guide#content-security-policy, without what maps and wallets need.
const STRIPE: Allowed = {
  'script-src': ["'self'", 'https://js.stripe.com', 'https://*.js.stripe.com'],
  'frame-src': ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  'connect-src': ['https://api.stripe.com'],
}

type Session = NonNullable<Awaited<ReturnType<typeof maybeFindSession>>>

/** Where a card is added: https://…/pay/card/<secret>. The one page that may load a script of the payment provider. */
export const cardPages: readonly Page[] = [
  {
    method: 'GET',
    path: '/pay/card/:secret',
    handler: (request) =>
      withSession(request, async (session) => {
        const setup = await request.portsOf(session.realm).gateway.findSetup(session.setupRef)
        if (setup.state === 'saved' || setup.state === 'processing') return { to: `${here(request)}/done` }
        return shownSetup(request, session, setup)
      }),
  },
  {
    method: 'POST',
    path: '/pay/card/:secret',
    handler: (request) =>
      withSession(request, async (session) => {
        // Only the simulated element sends its form here: real cards never come to this service.
        const { gateway } = request.portsOf(session.realm)
        await gateway.enterCard?.(session.setupRef, request.form.card ?? '')
        return { to: `${here(request)}/done` }
      }),
  },
  {
    method: 'GET',
    path: '/pay/card/:secret/done',
    handler: (request) =>
      withSession(request, async (session) => {
        const setup = await finishCardSession(request.portsOf(session.realm), session.id)
        if (!setup || setup.state === 'saved') return { to: `${billingOf(session)}?card=added` }
        if (setup.state === 'processing') return { html: notePage(speechOf(request, session), 'processing') }
        return { to: here(request) }
      }),
  },
  {
    method: 'GET',
    path: '/pay/assets/:version/:file',
    handler: async ({ params: { file = '' } }) => {
      const found = Object.hasOwn(assets, file) ? assets[file as keyof typeof assets] : undefined
      if (!found) return { html: notePage(neutral, 'over'), status: 404 }
      return { document: { ...found, isForever: true } }
    },
  },
]

const neutral: Speech = { language: 'en', businessName: '', billing: undefined }

/** What went wrong, where no session is known. */
export const cardTroublePage = (_kind: Trouble, request: PageRequest) =>
  notePage({ ...neutral, language: languageOf(wantedBy(request)) }, 'failed')

const here = ({ params }: PageRequest) => `/pay/card/${params.secret}`
const billingOf = ({ realm }: Session) => `/app/b/${realm.businessId}/${realm.mode}/billing`
// The dashboard says which language it is in.
const wantedBy = ({ query, languages, cookie }: PageRequest) => [
  query.language ?? '',
  cookie('card-language') ?? '',
  ...languages,
]

const speechOf = (request: PageRequest, session: Session): Speech => ({
  language: languageOf(wantedBy(request)),
  businessName: session.businessName,
  billing: billingOf(session),
})

/** Answers with the session of the address. One that is over leads back, or says so. */
async function withSession(
  request: PageRequest,
  answer: (session: Session) => Promise<PageAnswer>,
): Promise<PageAnswer> {
  const found = await request.asSystem(async (tx) => {
    const session = await maybeFindSession(tx, request.params.secret ?? '')
    return session && { session, isOver: session.state === 'ended' || session.expiresAt <= tx.now }
  })
  const language = languageOf(wantedBy(request))
  if (!found) return { html: notePage({ ...neutral, language }, 'over'), status: 404 }
  const { session, isOver } = found
  if (session.state === 'saved') return { to: `${billingOf(session)}?card=added` }
  if (isOver) return { html: notePage(speechOf(request, session), 'over'), status: 410 }
  const answered = await answer(session)
  // A bank leads back here without it.
  const { language: chosen } = request.query
  return chosen ? { ...answered, cookies: [{ name: 'card-language', value: language, maxAgeSeconds: 3600 }] } : answered
}

function shownSetup(
  request: PageRequest,
  session: Session,
  setup: Exclude<Setup, { state: 'saved' | 'processing' }>,
): PageAnswer {
  const speech = speechOf(request, session)
  if (setup.state === 'ended') return { html: notePage(speech, 'over'), status: 410 }
  const isDeclined = setup.declineCode !== undefined
  const { element } = setup
  if (element.kind === 'stripe') {
    const done = `${here(request)}/done`
    return { html: stripePage(speech, element, { done, isDeclined }), allows: STRIPE }
  }
  const token = request.formToken()
  if (setup.state === 'confirming') return { html: confirmPage(speech, token, { yes: CONFIRMED, no: REFUSED }) }
  return { html: simulatedPage(speech, { token, isDeclined }) }
}
