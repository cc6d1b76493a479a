/** Files from Maven repositories, fetched like by the user's Maven. */
package org.fedometer.profiles.artifacts;
