// A login by the generated client for Go, from the session to the subjectId. Prints what it saw as one line of JSON.
package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"

	countersign "example.com/countersign/client"
)

func main() {
	verifier := random()
	digest := sha256.Sum256([]byte(verifier))
	challenge := base64.RawURLEncoding.EncodeToString(digest[:])

	configuration := countersign.NewConfiguration()
	configuration.Servers = countersign.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	sessions := countersign.NewAPIClient(configuration).SessionsAPI
	client := countersign.BasicAuth{UserName: os.Getenv("CLIENT_ID"), Password: os.Getenv("CLIENT_SECRET")}
	ctx := context.WithValue(context.Background(), countersign.ContextBasicAuth, client)

	request := countersign.NewCreateSessionRequest(countersign.SIGNATURETYPE_AUTHENTICATION)
	request.SetRedirectUri(os.Getenv("REDIRECT_URI"))
	request.SetState(random())
	request.SetCodeChallenge(challenge)
	request.SetCodeChallengeMethod(countersign.CODECHALLENGEMETHOD_S256)
	created, _, err := sessions.CreateSession(ctx).CreateSessionRequest(*request).Execute()
	must(err)
	state, _, err := sessions.GetSession(ctx, created.SessionId).Execute()
	must(err)
	before := state.Status
	scan(created.SessionId)
	for state.Status == countersign.SESSIONSTATUS_PENDING || state.Status == countersign.SESSIONSTATUS_SCANNED {
		state, _, err = sessions.GetSession(ctx, created.SessionId).Prefer("wait=25").Since(state.Status).Execute()
		must(err)
	}
	completion, _, err := sessions.CompleteSession(ctx, created.SessionId).Execute()
	must(err)
	redirect, err := url.Parse(completion.Redirect)
	must(err)
	exchange := countersign.NewExchangeTokenRequest(redirect.Query().Get("code"), verifier)
	result, _, err := sessions.ExchangeToken(ctx).ExchangeTokenRequest(*exchange).Execute()
	must(err)

	_, _, err = sessions.ExchangeToken(ctx).ExchangeTokenRequest(*exchange).Execute()
	var refusal *countersign.GenericOpenAPIError
	if !errors.As(err, &refusal) {
		log.Fatal("the second exchange was not refused: ", err)
	}
	refused := refusal.Model().(countersign.ErrorAnswer).ErrorCode
	must(json.NewEncoder(os.Stdout).Encode(map[string]any{"before": before, "after": state.Status, "subjectId": result.SubjectId, "refused": refused}))
}

// The phone of the sandbox scans the code of the waiting page, and confirms.
func scan(sessionId string) {
	query := url.Values{"sessionId": {sessionId}, "returnUrl": {os.Getenv("REDIRECT_URI")}}
	body, err := json.Marshal(map[string]string{"qr": os.Getenv("APP_SCHEME") + "://app/scan?" + query.Encode()})
	must(err)
	answer, err := http.Post(os.Getenv("PHONE")+"/scan", "application/json", strings.NewReader(string(body)))
	must(err)
	if answer.StatusCode != http.StatusOK {
		log.Fatal(fmt.Sprint("the phone answered ", answer.Status))
	}
}

func random() string {
	bytes := make([]byte, 32)
	_, err := rand.Read(bytes)
	must(err)
	return base64.RawURLEncoding.EncodeToString(bytes)
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
