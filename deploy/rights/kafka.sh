#!/bin/sh
# The rights of each service in Kafka: BOOTSTRAP=broker:9093 COMMAND_CONFIG=admin.properties deploy/rights/kafka.sh
# COMMAND_CONFIG is a file of properties for a user that may change access lists. May be repeated. With client certificates set PREFIX to what
# comes before the service in their names, such as CN= . docs/operator.md#least-rights
set -eu

events=sessions.events.v1
deliveries=webhooks.deliveries.v1
erasures=erasures.v1

allow() { # service, then kafka-acls arguments
  service=$1
  shift
  ${KAFKA_ACLS:-kafka-acls.sh} --bootstrap-server "$BOOTSTRAP" ${COMMAND_CONFIG:+--command-config "$COMMAND_CONFIG"} \
    --add --force --allow-principal "User:${PREFIX:-}$service" "$@"
}

# event-relay makes the topic of events, fills it, keeps its retention, and reads its end.
allow event-relay --topic "$events" --operation Create --operation Describe --operation Write --operation Read \
  --operation DescribeConfigs --operation AlterConfigs
allow event-relay --group "reader.$events." --resource-pattern-type prefixed --operation Read --operation Describe --operation Delete
allow event-relay --topic "$events.event-relay.dead-letters" --operation Create --operation Describe --operation Write --operation Read

# A consumer reads the topic of events in its own groups, and writes letters to a topic of its own, which it makes.
consumer() { # service, group
  allow "$1" --topic "$events" --operation Describe --operation Read
  allow "$1" --group "$events.$2" --operation Read --operation Describe
  allow "$1" --topic "$events.$2.dead-letters" --operation Create --operation Describe --operation Write
}
consumer signing signing
consumer webhook-dispatcher webhooks
consumer timers timers
consumer timers session-status

# webhook-dispatcher asks for deliveries and carries them out; registry asks for pings, retries and logout tokens of erased persons, device-api for those of persons who log out on the phone. The
# service that starts first makes the topic.
for service in webhook-dispatcher registry device-api; do
  allow "$service" --topic "$deliveries" --operation Create --operation Describe --operation Write \
    --operation DescribeConfigs --operation AlterConfigs
done
allow webhook-dispatcher --topic "$deliveries" --operation Read
allow webhook-dispatcher --group "$deliveries.webhook-deliveries" --operation Read --operation Describe
allow webhook-dispatcher --topic "$deliveries.webhook-deliveries.dead-letters" --operation Create --operation Describe --operation Write

# registry keeps the list of erasures, and an operator copies it and brings the copy back.
for user in registry operator; do
  allow "$user" --topic "$erasures" --operation Create --operation Describe --operation Write --operation Read \
    --operation DescribeConfigs --operation AlterConfigs
  allow "$user" --group "reader.$erasures." --resource-pattern-type prefixed --operation Read --operation Describe --operation Delete
done

# An operator lists dead letters and hands them over again.
for topic in "$events" "$deliveries"; do
  allow operator --topic "$topic" --resource-pattern-type prefixed --operation Create --operation Describe --operation Read --operation Write
  allow operator --group "$topic." --resource-pattern-type prefixed --operation Read --operation Describe
  allow operator --group "reader.$topic." --resource-pattern-type prefixed --operation Read --operation Describe --operation Delete
done
