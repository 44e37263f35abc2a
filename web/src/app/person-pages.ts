import type { Page } from './page.ts'

/** The pages before signing in, by path below /app. */
export const entryPages: Page[] = [
  { path: '/sign-in', load: async () => (await import('../features/identity/sign-in-page.tsx')).SignInPage },
  { path: '/sso', load: async () => (await import('../features/identity/sso/sso-return-page.tsx')).SsoReturnPage },
  {
    path: '/forgotten',
    load: async () => (await import('../features/identity/forgotten-password-page.tsx')).ForgottenPage,
  },
  { path: '/invitation', load: async () => (await import('../features/identity/invitation-pages.tsx')).InvitationPage },
  { path: '/reset', load: async () => (await import('../features/identity/invitation-pages.tsx')).ResetPage },
]

/** The pages of the person, of no business. */
export const personPages: Page[] = [
  { path: '/', load: async () => (await import('../features/identity/home-page.tsx')).HomePage },
  { path: '/account', load: async () => (await import('../features/identity/account-page.tsx')).AccountPage },
]
