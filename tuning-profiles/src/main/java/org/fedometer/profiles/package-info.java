/**
 * Tuning profiles: one choice for each dimension of a Fedora stack, read from YAML files. {@link
 * org.fedometer.profiles.Profiles} is the entry point; {@code org.fedometer.profiles.stack} makes a
 * running Fedora of a profile.
 */
package org.fedometer.profiles;
