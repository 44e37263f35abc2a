import { type AnyRoute, createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'
import { NotFound, PageError, PagePending } from '../frame/fallbacks.tsx'
import { Root } from '../frame/root.tsx'
import { businessPages } from './business-pages.ts'
import { operatorPages } from './operator-pages.ts'
import { lazyPage, type Page } from './page.ts'
import { entryPages, personPages } from './person-pages.ts'
import { parseSearch, stringifySearch } from './search.ts'

const root = createRootRoute({ component: Root, notFoundComponent: NotFound })

// Frames are loaded on demand, like pages: the sign-in page needs none.
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: lazyPage(async () => (await import('../frame/signed-in.tsx')).SignedIn),
})

const business = createRoute({
  getParentRoute: () => signedIn,
  path: '/b/$businessID/$mode',
  component: lazyPage(async () => (await import('../frame/business-frame.tsx')).BusinessFrame),
  beforeLoad: ({ params }) => {
    if (params.mode !== 'live' && params.mode !== 'sandbox') {
      throw redirect({ to: `/b/${params.businessID}/live` })
    }
  },
})

const operator = createRoute({
  getParentRoute: () => signedIn,
  path: '/operator',
  component: lazyPage(async () => (await import('../frame/operator-frame.tsx')).OperatorFrame),
})

const tree = root.addChildren([
  ...routesOf(root, entryPages),
  signedIn.addChildren([
    ...routesOf(signedIn, personPages),
    business.addChildren(routesOf(business, businessPages)),
    operator.addChildren(routesOf(operator, operatorPages)),
  ]),
])

export function makeRouter() {
  return createRouter({
    routeTree: tree,
    basepath: '/app',
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultErrorComponent: PageError,
    defaultPendingComponent: PagePending,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  })
}

function routesOf(parent: AnyRoute, pages: readonly Page[]): AnyRoute[] {
  return pages.map(({ path, load }) => createRoute({ getParentRoute: () => parent, path, component: lazyPage(load) }))
}
