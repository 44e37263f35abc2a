import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { PageNotLoaded } from '../api/problem.ts'
import { makeRouter } from './router.tsx'

/** Shows the dashboard. The language is loaded. */
export function start(): void {
  const element = document.getElementById('root')
  if (element === null) throw new Error('index.html has no #root')
  createRoot(element, { onCaughtError }).render(
    <StrictMode>
      <RouterProvider router={makeRouter()} />
    </StrictMode>,
  )
}

/** Errors that a page shows. Only faults of the page itself are logged to the console. */
function onCaughtError(error: unknown): void {
  if (!(error instanceof PageNotLoaded)) reportError(error)
}
