/** Commands on tuning profiles, and the options that select and change one. */
package org.fedometer.cli.profile;
