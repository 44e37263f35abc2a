import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/** Navigates once. The router's own `Navigate` does so on each render while the next page loads, and loops. */
export function Redirect({ to, search }: { to: string; search?: Record<string, string> }) {
  const navigate = useNavigate()
  const isGone = useRef(false)
  useEffect(() => {
    if (isGone.current) return
    isGone.current = true
    void navigate({ to, search: search ?? {}, replace: true })
  }, [navigate, to, search])
  return null
}
