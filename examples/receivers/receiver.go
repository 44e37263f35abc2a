// Takes webhooks: checks the signature, leaves out what came before, keeps the event, and answers. The work is done later, from
// the file: Kitlane sends again what is not answered within 15 seconds.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	mostBytes = 1_000_000
	tolerance = 5 * time.Minute
)

type receiver struct {
	keys  [][]byte
	inbox *os.File
	mutex sync.Mutex
	seen  map[string]bool
}

func main() {
	receiver := &receiver{keys: keysOf(os.Getenv("KITLANE_WEBHOOK_SECRET")), seen: map[string]bool{}}
	receiver.open(orElse(os.Getenv("INBOX"), "inbox.jsonl"))
	listener, err := net.Listen("tcp", "127.0.0.1:"+orElse(os.Getenv("PORT"), "3000"))
	stopIf(err)
	fmt.Printf("Listening on http://%s/\n", listener.Addr())
	server := &http.Server{Handler: receiver, ReadTimeout: 15 * time.Second}
	log.Fatal(server.Serve(listener))
}

// keysOf reads `whsec_…`, or two of them with a blank between them, while one is changed for the other.
func keysOf(secrets string) (keys [][]byte) {
	for _, secret := range strings.Fields(secrets) {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		stopIf(err)
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		log.Fatal("KITLANE_WEBHOOK_SECRET is missing")
	}
	return keys
}

// open reads the IDs of the events that are kept already.
func (r *receiver) open(path string) {
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		log.Fatal(err)
	}
	r.inbox, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	stopIf(err)
	// The machine may have stopped in the middle of a line: its event was not answered, and comes again.
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		_, err = r.inbox.WriteString("\n")
		stopIf(err)
	}
	for _, line := range bytes.Split(text, []byte("\n")) {
		var event struct{ ID string }
		if json.Unmarshal(line, &event) == nil {
			r.seen[event.ID] = true
		}
	}
}

func (r *receiver) ServeHTTP(answer http.ResponseWriter, request *http.Request) {
	if request.Method != http.MethodPost {
		answer.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(answer, request.Body, mostBytes))
	if err != nil {
		answer.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	var event map[string]any
	if !r.isSigned(body, request.Header) || json.Unmarshal(body, &event) != nil {
		answer.WriteHeader(http.StatusBadRequest)
		return
	}
	event["id"] = request.Header.Get("Webhook-Id")
	if err := r.keep(event); err != nil {
		log.Print(err)
		answer.WriteHeader(http.StatusInternalServerError)
		return
	}
	answer.WriteHeader(http.StatusNoContent)
}

// isSigned checks what Standard Webhooks asks for: a near time, and one signature by one of the secrets.
func (r *receiver) isSigned(body []byte, headers http.Header) bool {
	id, sent := headers.Get("Webhook-Id"), headers.Get("Webhook-Timestamp")
	seconds, err := strconv.ParseInt(sent, 10, 64)
	if id == "" || err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	for _, given := range strings.Fields(headers.Get("Webhook-Signature")) {
		signature, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(given, "v1,"))
		if err != nil || !strings.HasPrefix(given, "v1,") {
			continue
		}
		for _, key := range r.keys {
			mac := hmac.New(sha256.New, key)
			fmt.Fprintf(mac, "%s.%s.", id, sent)
			mac.Write(body)
			// Takes the same time wherever they differ.
			if hmac.Equal(signature, mac.Sum(nil)) {
				return true
			}
		}
	}
	return false
}

func (r *receiver) keep(event map[string]any) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	id, _ := event["id"].(string)
	if r.seen[id] {
		return nil
	}
	line, err := json.Marshal(event)
	if err != nil {
		return err
	}
	if _, err := r.inbox.Write(append(line, '\n')); err != nil {
		return err
	}
	// On the disk before the answer: after it, Kitlane does not send the event again.
	if err := r.inbox.Sync(); err != nil {
		return err
	}
	r.seen[id] = true
	return nil
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

func stopIf(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
