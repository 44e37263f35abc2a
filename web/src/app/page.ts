import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { PageNotLoaded } from '../api/problem.ts'
import { noteUnreached } from '../api/reachability.ts'

/** A page: its path below the frame (`/orders/$orderID`), and its code, which is loaded on demand. */
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
