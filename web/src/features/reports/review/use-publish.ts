import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { t } from '../../../language/t.ts'
import { type Decision, decide, flush, onPublishState, publishState, undo } from './pending-publish.ts'

/** Reads everything again once what was decided has come out. */
export function usePublishOutcome() {
  const state = useSyncExternalStore(onPublishState, publishState)
  const cache = useQueryClient()
  const { published, refused } = state
  useEffect(() => {
    if (published ?? refused) void cache.invalidateQueries({ queryKey: [''] })
  }, [published, refused])
  return state
}

/** Publishing the report of a page: decided, undone, sent when the time is over or the reviewer moves on. */
export function usePublish(reportID: string) {
  const { pending, sending, published, refused } = usePublishOutcome()
  // Anyone who leaves the report has decided.
  useEffect(() => flush, [reportID])
  return {
    /** When it is sent; undefined: nothing is decided. */
    sendsAt: pending?.reportID === reportID ? pending.sendsAt : undefined,
    isSending: sending === reportID,
    isPublished: published === reportID,
    problem: refused?.reportID === reportID ? refused.problem : undefined,
    decide: (body: Decision['body']) => decide({ reportID, body }),
    publishNow: flush,
    undo,
  }
}

let announced: object | undefined
// Wherever the reviewer is by then.
onPublishState(() => {
  const { published, refused } = publishState()
  if (publishState() === announced) return
  announced = publishState()
  if (published !== undefined)
    notifications.show({
      id: published,
      message: t('Report {reportID} is published', { reportID: published }),
    })
  // On its own page the alert says it.
  if (!refused || location.pathname.endsWith(refused.reportID)) return
  const { reportID, problem } = refused
  notifications.show({
    id: reportID,
    color: 'red',
    autoClose: false,
    message: t('Report {reportID} was not published: {reason}', { reportID, reason: problem.message }),
  })
})
