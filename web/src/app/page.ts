import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { PageNotLoaded } from '../api/problem.ts'
import { noteUnreached } from '../api/reachability.ts'

/** One page: its path below the frame (`/orders/$orderID`) and how its code is fetched, so that the first load stays small. */
export interface Page {
  path: string
  load: () => Promise<ComponentType>
}

export function lazyPage(load: Page['load']) {
  const fetchPage = async () => {
    try {
      return { page: await load() }
    } catch (cause) {
      noteUnreached(cause)
      throw new PageNotLoaded(cause)
    }
  }
  return lazyRouteComponent(fetchPage, 'page')
}
