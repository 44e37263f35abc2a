/** The nonce that the server put into this page. Styles that are created at run time need it. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
}

/** The scroll lock below Mantine's dialogs reads webpack's name for the nonce. */
export function noteStyleNonce(): void {
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() })
}
