/** Fedora's installer, configuration and process. */
package org.fedometer.profiles.stack.fedora;
